import { beforeAll } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import type { SocialClient } from '../../../schema/core/social-clients.ts'
import { createPasskeyOwner } from '../account-site/passkey-owner.ts'
import { Authenticator } from '../browser/authenticator.ts'
import { createTeam, join, unique } from '../data/team.ts'
import { createPerson } from '../oauth/oauth.ts'
import { useService } from '../service/service.ts'
import { useProviders } from './provider.ts'
import type { TestProvider } from './provider.ts'
import { addDomain, addProvider } from './team-provider.ts'

/** The provider, the team that verified the domain of the address, and the account that has the address. */
export type Kind = 'team' | 'social' | 'social, address not verified'
export type Owner = 'the team' | 'another team' | 'nobody'
export type Account =
  | ('none' | 'unverified' | 'verified' | 'verified, with a passkey' | 'of a member created by the team')
  | ('created by the team, no member' | 'of a member created by the team, owner of another')

export interface Situation {
  team: Team
  key: string
  subject: string
  email: string
  account: User | null
  authenticator: Authenticator
}

/** A service at whose providers persons sign in for the first time. */
export function useSituations() {
  const social: { google?: SocialClient } = {}
  const service = useService({ hostname: 'localhost', socialProviders: social })
  const { database } = service
  const providers = useProviders(service.clock.now)
  let provider: TestProvider
  beforeAll(async () => {
    provider = await providers.create()
    const { clientId, clientSecret, issuer } = provider
    social.google = { clientId, clientSecret, origin: issuer }
  })

  /** Creates teams, a domain and an account, and signs in at the provider as the owner of the address. */
  async function prepare(kind: Kind, owner: Owner, account: Account): Promise<Situation> {
    const [team, other] = [await createTeam(database), await createTeam(database)]
    const domain = `${unique('acme')}.example`
    if (owner !== 'nobody') await addDomain(database, owner === 'the team' ? team : other, domain)
    const email = `ada@${domain}`
    const subject = unique('subject')
    const authenticator = new Authenticator(service.url)
    const data = {
      email,
      emailVerified: account !== 'unverified',
      ...(account.includes('created by the team') && { createdByTeamId: team.id }),
    }
    const existing = account === 'none' ? null : await createPerson(database, data)
    if (existing && account.startsWith('of a member')) await join(database, team, existing, 'member')
    if (existing && account.endsWith('owner of another')) await join(database, other, existing, 'owner')
    if (existing && account === 'verified, with a passkey') await createPasskeyOwner(service, existing, authenticator)
    const row = kind === 'team' ? await addProvider(database, team, provider, { jitRole: 'member' }) : null
    provider.claims = { sub: subject, email, name: 'Ada Lovelace', email_verified: kind === 'social' }
    return { team, key: row?.id ?? 'google', subject, email, account: existing, authenticator }
  }

  return { service, prepare, provider: () => provider }
}
