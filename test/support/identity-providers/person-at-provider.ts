import { createTeam, unique } from '../data/team.ts'
import { createPerson } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'
import type { useProviders } from './provider.ts'
import { addDomain, addProvider } from './team-provider.ts'

/** Creates a team with a provider and a person who can sign in there, as well as by password. */
export async function personAtProvider({ database, clock }: TestService, providers: ReturnType<typeof useProviders>) {
  const provider = await providers.create()
  const team = await createTeam(database)
  const domain = `${unique('acme')}.example`
  await addDomain(database, team, domain)
  const row = await addProvider(database, team, provider, { jitRole: 'member' })
  const person = await createPerson(database, { email: `ada@${domain}` })
  const subject = unique('subject')
  await database.prisma.externalIdentity.create({
    data: { providerId: row.id, subject, userId: person.id, email: person.email, lastSignInAt: clock.now() },
  })
  provider.claims = { sub: subject, email: person.email }
  return { provider, team, row, person }
}
