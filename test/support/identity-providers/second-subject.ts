import { expect } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { createPasskeyOwner } from '../account-site/passkey-owner.ts'
import { alertOf, heading } from '../account-site/page-content.ts'
import { Authenticator } from '../browser/authenticator.ts'
import { Browser } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import { createTeam, join, unique } from '../data/team.ts'
import { graphql } from '../http/graphql.ts'
import { createPerson } from '../oauth/oauth.ts'
import { createSamlProvider } from '../saml/provider.ts'
import { signInWithSaml } from '../saml/sign-in.ts'
import type { Signer } from '../saml/signer.ts'
import { createDirectory, patchOf } from '../scim/directory.ts'
import type { TestService } from '../service/service.ts'
import type { useProviders } from './provider.ts'
import { addProvider, signInAtProvider } from './team-provider.ts'

// Two people who have one address, one after the other, at the provider of a team: the directory gave the address of Sam to a newcomer.

export type Kind = 'oidc' | 'saml'
/** How the account of the first person came about, and whether that person has signed in through the provider. */
export type Origin = 'made by the provider' | 'made by the directory' | 'made by the directory, never used' | 'own'
/** What else the first person has. */
export type Extra = 'nothing else' | 'a passkey and another team'
/** What happened to the first person since. */
export type State = 'member' | 'removed' | 'deactivated' | 'deleted' | 'renamed'
/** What happened to the team since. */
export type Change = 'nothing else changed' | 'the domain lost' | 'the issuer changed'
export type Outcome = 'refused' | 'moved' | 'moved, member' | 'linked' | 'proof' | 'new without address'

const removeMember = 'mutation ($team: String!, $userId: ID!) { removeMember(input: { team: $team, userId: $userId }) { member { id } } }'

/** Signs in at a provider of a team, as a person whom it states. */
type SignIn = (person: { subject: string; email: string }, browser?: Browser) => Promise<Page>

export interface Scene {
  directory: Awaited<ReturnType<typeof createDirectory>>
  providerId: string
  email: string
  /** The account of the first person. */
  first: User
  signIn: SignIn
}

interface Ports {
  service: TestService
  providers: ReturnType<typeof useProviders>
  signer(): Signer
}

export function secondSubject({ service, providers, signer }: Ports) {
  const { database } = service
  const { prisma } = database

  async function createProvider(kind: Kind, team: Awaited<ReturnType<typeof createDirectory>>['team']): Promise<[string, SignIn]> {
    if (kind === 'oidc') {
      const provider = await providers.create()
      const { id } = await addProvider(database, team, provider, { jitRole: 'member' })
      return [
        id,
        (person, browser = new Browser(service.url)) => {
          provider.claims = { sub: person.subject, email: person.email }
          return signInAtProvider(browser, id, { return_to: '/account' })
        },
      ]
    }
    const provider = await createSamlProvider(service, [signer()], { team })
    await prisma.identityProvider.update({ where: { id: provider.id }, data: { jitRole: 'member' } })
    return [provider.id, (person, browser = new Browser(service.url)) => signInWithSaml(service, provider, person, browser)]
  }

  /** Creates the account of the first person, who then signs in through the provider unless that never happened. */
  async function createFirst(origin: Origin, scene: Omit<Scene, 'first'>): Promise<User> {
    const { directory, providerId, email, signIn } = scene
    if (origin === 'own') {
      const user = await createPerson(database, { email })
      await join(database, directory.team, user, 'member')
      await prisma.externalIdentity.create({
        data: { providerId, subject: 'emp-1', userId: user.id, email, lastSignInAt: service.clock.now() },
      })
      return user
    }
    if (origin !== 'made by the provider') await directory.provision('sam')
    if (origin !== 'made by the directory, never used') await signIn({ subject: 'emp-1', email })
    return prisma.user.findUniqueOrThrow({ where: { email } })
  }

  async function applyState({ directory, first }: Scene, state: State): Promise<void> {
    const { send, team, token, domain } = directory
    const address = `sam.old@${domain}`
    const renamed = { userName: address, emails: [{ value: address, type: 'work', primary: true }] }
    const requests: Record<State, (() => Promise<{ status: number }>) | null> = {
      member: null,
      removed: () => graphql(service, token, removeMember, { team: team.slug, userId: first.id }),
      deactivated: () => send('PATCH', `/Users/${first.id}`, patchOf({ op: 'replace', path: 'active', value: false })),
      deleted: () => send('DELETE', `/Users/${first.id}`),
      renamed: () => send('PATCH', `/Users/${first.id}`, patchOf({ op: 'replace', value: renamed })),
    }
    const response = await requests[state]?.()
    if (response) expect([200, 204]).toContain(response.status)
  }

  async function applyChange({ directory, providerId }: Scene, change: Change): Promise<void> {
    if (change === 'the domain lost') await prisma.teamDomain.deleteMany({ where: { teamId: directory.team.id } })
    if (change !== 'the issuer changed') return
    // What `updateIdentityProvider` does, but that the metadata of the issuer is not read.
    await prisma.externalIdentity.deleteMany({ where: { providerId } })
  }

  /** Prepares everything up to the sign-in of the newcomer. */
  async function prepare(kind: Kind, origin: Origin, extra: Extra, state: State, change: Change): Promise<Scene> {
    const directory = await createDirectory(service)
    const [providerId, signIn] = await createProvider(kind, directory.team)
    const begun = { directory, providerId, email: `sam@${directory.domain}`, signIn }
    const scene = { ...begun, first: await createFirst(origin, begun) }
    if (extra !== 'nothing else') {
      await createPasskeyOwner(service, scene.first, new Authenticator(service.url))
      await join(database, await createTeam(database), scene.first, 'owner')
    }
    await applyState(scene, state)
    await applyChange(scene, change)
    return scene
  }

  /** What belongs to the first account and never changes, whatever the newcomer does. */
  const belongings = async ({ first, directory }: Scene) => ({
    identities: await prisma.externalIdentity.findMany({ where: { userId: first.id }, select: { id: true, subject: true } }),
    memberships: await prisma.member.findMany({
      where: { userId: first.id },
      select: { teamId: true, role: true, joinedAt: true },
      orderBy: { teamId: 'asc' },
    }),
    sessions: await prisma.session.count({ where: { userId: first.id } }),
    passkeys: await prisma.passkey.count({ where: { userId: first.id } }),
    directory: await prisma.scimUser.count({ where: { userId: first.id, teamId: directory.team.id } }),
  })

  /** What the sign-in of the newcomer led to. */
  async function outcomeOf(scene: Scene, page: Page): Promise<Outcome> {
    const { first, providerId, email, directory } = scene
    const identity = await prisma.externalIdentity.findFirst({ where: { providerId, subject: 'emp-2' }, include: { user: true } })
    if (!identity) {
      if (heading(page)[1] === 'Is this your account?') return 'proof'
      expect([heading(page), alertOf(page)[1]]).toEqual([
        [400, 'Sign-in failed'],
        expect.stringContaining('belongs to a member of the team'),
      ])
      return 'refused'
    }
    expect(page.url.pathname).toBe('/account')
    const { user } = identity
    if (user.id === first.id) return 'linked'
    const present = await prisma.user.findUniqueOrThrow({ where: { id: first.id } })
    if (user.email !== email) {
      expect([user.email, user.emailVerified, present.email]).toEqual([`${user.id}@no-address.invalid`, false, email])
      return 'new without address'
    }
    expect([user.emailVerified, present.email, present.emailVerified]).toEqual([true, `${first.id}@no-address.invalid`, false])
    const teamId_userId = { teamId: directory.team.id, userId: user.id }
    return (await prisma.member.findUnique({ where: { teamId_userId } })) ? 'moved, member' : 'moved'
  }

  return { prepare, belongings, outcomeOf, newcomer: ({ email }: Scene) => ({ subject: 'emp-2', email }), unique }
}
