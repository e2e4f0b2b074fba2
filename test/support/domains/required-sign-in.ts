import type { IdentityProvider, Team, User } from '../../../prisma/generated/client/client.ts'
import { createTeam, unique } from '../data/team.ts'
import type { TestService } from '../service/service.ts'
import { createDomain } from './domain.ts'

/** A team that requires sign-in through its provider, by rows. `domain` is verified. */
export interface RequiringTeam {
  team: Team
  provider: IdentityProvider
  domain: string
  /** An address of the domain that no other test uses. */
  address(): string
}

/** Creates the row of an enabled provider that was tested. */
export const createProvider = ({ database: { prisma } }: TestService, { id: teamId }: Team, data: Partial<IdentityProvider> = {}) =>
  prisma.identityProvider.create({
    data: { teamId, kind: 'oidc', name: 'Okta', issuer: 'https://okta.example', clientId: 'client', testedAt: new Date(), ...data },
  })

/** Makes a team require sign-in, by default from now on. */
export async function requireSignIn(service: TestService, existing?: Team): Promise<RequiringTeam> {
  const { database, clock } = service
  const created = existing ?? (await createTeam(database))
  const provider = await createProvider(service, created)
  const { domain } = await createDomain(database, created)
  const data = { signInProviderId: provider.id, signInRequiredAt: clock.now() }
  const team = await database.prisma.team.update({ where: { id: created.id }, data })
  return { team, provider, domain, address: () => `${unique('user')}@${domain}` }
}

/** Records that a user has signed in through a provider, by default now. */
export async function signInThrough(
  { database: { prisma }, clock }: TestService,
  { id: providerId }: IdentityProvider,
  { id: userId, email }: User,
  lastSignInAt = clock.now(),
): Promise<void> {
  const subject = userId
  await prisma.externalIdentity.upsert({
    where: { providerId_subject: { providerId, subject } },
    create: { providerId, subject, userId, email, lastSignInAt },
    update: { lastSignInAt },
  })
}
