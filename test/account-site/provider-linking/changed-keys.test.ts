import { describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { alertOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createTeam, createUser, join, unique } from '../../support/data/team.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { update } from '../../support/identity-providers/settings.ts'
import { answerOf } from '../../support/identity-providers/team-provider.ts'
import { createTwoTeamPerson, enterAtProvider, reachedTeams } from '../../support/identity-providers/two-team-person.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { providerMetadata } from '../../support/saml/metadata.ts'
import { createSamlProvider, useSigners } from '../../support/saml/provider.ts'
import { signInWithSaml } from '../../support/saml/sign-in.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// A provider with another key could be that of somebody else (docs/decisions/identity-providers.md#changed-keys).

const service = useService({ hostname: 'localhost' })
const { database } = service
const { prisma } = database
const providers = useProviders(service.clock.now)

const asked = [200, 'Is this your account?']

/** Changes a provider as an owner of its team alone. */
async function change(team: Team, id: string, input: object) {
  const owner = await createUser(database)
  await join(database, team, owner, 'owner')
  service.clock.advance(1000)
  const { refusal } = await executeAs(service, await sessionOf(service, owner), update, { input: { id, ...input } })
  expect(refusal).toBeNull()
}

/** An owner of two teams who can sign in at the provider of the first one, which now has another client. */
async function prepare() {
  const scene = await createTwoTeamPerson(service, providers)
  const { row, team } = scene
  await change(team, row.id, { clientId: 'another-client' })
  return scene
}

const kindsOfMails = ({ id }: { id: string }) =>
  service.mails.filter((mail) => 'userId' in mail && mail.userId === id).map(({ kind }) => kind)

/** Follows the link of the page that asks for the proof. */
const signInAnotherWay = (browser: Browser, { root }: Page) => browser.open(root.querySelector('main a.button')?.getAttribute('href') ?? '')

async function signIn(browser: Browser, page: Page, email: string): Promise<Page> {
  const next = await browser.press(page, 'Continue', { 'Email address': email })
  return browser.press(next, 'Sign in', { Password: password })
}

/** Gives the provider its first client again, at which a test signs in. */
const changeBack = ({ row, team, provider }: Awaited<ReturnType<typeof prepare>>) => change(team, row.id, { clientId: provider.clientId })

describe('after a change of the client, an account that is linked', () => {
  test('is asked for a proof at the next sign-in, also if the change was undone, and then no more', async () => {
    const scene = await prepare()
    const { row, team, other, person } = scene
    await changeBack(scene)
    const { browser, page } = await enterAtProvider(service, row)
    expect(heading(page)).toEqual(asked)
    expect(page.text).not.toContain('Continue with a new account')
    expect(await prisma.session.count({ where: { userId: person.id } })).toBe(0)
    service.clock.advance(1000)
    const form = await signInAnotherWay(browser, page)
    const after = await signIn(browser, form, person.email)
    expect([after.url.pathname, noticeOf(after)]).toEqual(['/account/teams', [200, 'You can now sign in through Acme login.']])
    expect((await reachedTeams(browser)).toSorted()).toEqual([team.slug, other.slug].toSorted())
    const next = await enterAtProvider(service, row, `/teams/${team.slug}`)
    expect([next.page.url.pathname, await reachedTeams(next.browser)]).toEqual([`/teams/${team.slug}`, [team.slug]])
  })

  test('is not linked by the proof of another account', async () => {
    const scene = await prepare()
    await changeBack(scene)
    const { browser, page } = await enterAtProvider(service, scene.row)
    service.clock.advance(1000)
    const other = await createPerson(database)
    const form = await signInAnotherWay(browser, page)
    const after = await signIn(browser, form, other.email)
    expect([after.status, after.text]).toEqual([400, expect.stringContaining('You confirmed an account that')])
    expect(heading((await enterAtProvider(service, scene.row)).page)).toEqual(asked)
  })

  test('is not replaced by a new account', async () => {
    const { provider, row, person } = await createTwoTeamPerson(service, providers)
    const subject = unique('subject')
    provider.claims = { sub: subject, email: person.email }
    await prisma.externalIdentity.deleteMany({ where: { userId: person.id } })
    const { browser, page } = await enterAtProvider(service, row)
    await prisma.externalIdentity.create({
      data: { providerId: row.id, subject, userId: person.id, lastSignInAt: service.clock.now(), needsProof: true },
    })
    const users = await prisma.user.count()
    const after = await browser.press(page, 'Continue with a new account')
    expect([alertOf(after)[1], await prisma.user.count()]).toEqual([
      expect.stringContaining('This account at the identity provider is already linked to your account.'),
      users,
    ])
  })

  test('is not confirmed through the provider', async () => {
    const scene = await createTwoTeamPerson(service, providers)
    const { row } = scene
    const { browser } = await enterAtProvider(service, row)
    await change(scene.team, row.id, { clientId: 'another-client' })
    await changeBack(scene)
    const page = await browser.open(await answerOf(await browser.open(`/sign-in/start/${row.id}?purpose=confirm&return_to=/account`)))
    expect([heading(page), page.text]).toEqual([
      [400, 'Sign-in failed'],
      expect.stringContaining('The settings of the identity provider were changed since you last confirmed your account.'),
    ])
  })

  test('tells the linked people, besides the owners', async () => {
    const scene = await createTwoTeamPerson(service, providers)
    const { row, team, person } = scene
    await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: person.id } }, data: { role: 'member' } })
    await change(team, row.id, { clientId: 'another-client' })
    expect(kindsOfMails(person)).toEqual(['linked-provider-changed'])
  })

  test.each([
    ['the name', { name: 'Acme sign-in' }],
    ['the claim of groups', { groupsClaim: 'groups' }],
    ['the client secret', { clientSecret: 'another-secret' }],
  ])('is not asked after a change of %s', async (_, input) => {
    const scene = await createTwoTeamPerson(service, providers)
    await change(scene.team, scene.row.id, input)
    expect(await prisma.externalIdentity.count({ where: { userId: scene.person.id, needsProof: true } })).toBe(0)
    expect(kindsOfMails(scene.person)).not.toContain('linked-provider-changed')
  })
})

test('an account that the team created is asked only once it belongs to another team', async () => {
  const scene = await createTwoTeamPerson(service, providers)
  const { provider, row, team, person } = scene
  provider.claims = { sub: unique('subject'), email: `${unique('new')}@${person.email.split('@')[1]}`, name: 'New' }
  await enterAtProvider(service, row)
  const created = await prisma.user.findFirstOrThrow({ where: { createdByTeamId: team.id } })
  await change(team, row.id, { clientId: 'another-client' })
  await changeBack(scene)
  expect((await enterAtProvider(service, row)).page.url.pathname).toBe('/account/teams')
  await join(database, await createTeam(database), created, 'member')
  expect(heading((await enterAtProvider(service, row)).page)).toEqual(asked)
})

test('an account with nothing to prove it can still sign in, and reaches the team of the provider alone', async () => {
  const scene = await prepare()
  const { row, team, person } = scene
  await prisma.user.update({
    where: { id: person.id },
    data: { passwordHash: null, email: `${person.id}@no-address.invalid`, emailVerified: false },
  })
  await changeBack(scene)
  const { browser, page } = await enterAtProvider(service, row, `/teams/${team.slug}`)
  expect([page.url.pathname, await reachedTeams(browser)]).toEqual([`/teams/${team.slug}`, [team.slug]])
})

describe.runIf(canIssueCertificates)('a SAML provider', () => {
  const signers = useSigners('first', 'second')
  const changes: [string, ('first' | 'second')[], boolean][] = [
    ['replaced', ['second'], true],
    ['added', ['first', 'second'], true],
    ['only removed', ['first'], false],
  ]

  test.each(changes)('asks for a proof if a certificate was %s', async (what, names, isAsked) => {
    const { team, person } = await createTwoTeamPerson(service, providers)
    const present = await createSamlProvider(service, what === 'only removed' ? [signers.first, signers.second] : [signers.first], { team })
    const subject = unique('subject')
    await prisma.externalIdentity.create({
      data: { providerId: present.id, subject, userId: person.id, lastSignInAt: service.clock.now() },
    })
    const certificates = names.map((name) => signers[name].certificate)
    await change(team, present.id, { metadata: providerMetadata({ issuer: present.issuer, certificates }) })
    const signer = signers[names.at(-1) ?? 'first']
    const page = await signInWithSaml(service, { ...present, signer }, { subject, email: person.email }, new Browser(service.url))
    expect(isAsked ? heading(page) : page.url.pathname).toEqual(isAsked ? asked : '/confirm/account')
  })
})
