import { expect, test } from 'vitest'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { addPasskey } from '../../support/data/second-factor.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { createProvider, signInThrough } from '../../support/domains/required-sign-in.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database

const document = 'mutation ($input: SetSignInRequirementInput!) { setSignInRequirement(input: $input) { team { slug } } }'

/** A team that could require sign-in, with an owner whose address is in its domain. */
async function createScene() {
  const { team, owner } = await createOwnedTeam(database)
  const provider = await createProvider(service, team)
  const { domain } = await createDomain(database, team)
  await prisma.user.update({ where: { id: owner.id }, data: { email: `owner-${team.slug}@${domain}` } })
  const session = await sessionOf(service, await prisma.user.findUniqueOrThrow({ where: { id: owner.id } }))
  const there = { ...session, signIns: session.signIns && { ...session.signIns, providerIds: [provider.id] } }
  mails.length = 0
  const require = async (caller: Parameters<typeof executeAs>[1], graceDays = 0) => {
    const from = new Date(clock.now().getTime() + graceDays * 86_400_000).toISOString()
    const { refusal } = await executeAs(service, caller, document, { input: { team: team.slug, providerId: provider.id, from } })
    return refusal?.details.errors ?? null
  }
  const preview = async (caller: Parameters<typeof executeAs>[1]) => {
    const fields = 'providerId members withoutSignIn viewerWouldLoseAccess viewerHasPasskey'
    const query = `query ($slug: String!) { team(slug: $slug) { signInRequirementPreviews { ${fields} } } }`
    return (await executeAs(service, caller, query, { slug: team.slug })).data.team.signInRequirementPreviews
  }
  return { team, owner, provider, domain, session, there, require, preview }
}

const refusal = { providerId: ['Sign in through Okta in this browser first. Otherwise you would lose access to the team.'] }

test.each([0, 14])('a requirement after %d days is refused to an owner who would lose access, and no email is sent', async (graceDays) => {
  const { team, owner, provider, session, there, require } = await createScene()
  expect(await require(session, graceDays)).toEqual(refusal)
  // In another session, or longer ago than it counts.
  await signInThrough(service, provider, owner)
  expect(await require(session, graceDays)).toEqual(refusal)
  await signInThrough(service, provider, owner, new Date(clock.now().getTime() - 31 * 86_400_000))
  expect(await require(there, graceDays)).toEqual(refusal)
  expect(mails).toEqual([])
  expect(await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ signInProviderId: null, signInRequiredAt: null })
  await signInThrough(service, provider, owner)
  expect(await require(there, graceDays)).toBeNull()
  expect(await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ signInProviderId: provider.id })
})

test('a requirement is accepted from an owner whom it does not concern, and from an operator', async () => {
  const { team, require } = await createScene()
  const guest = await createUser(database)
  await join(database, team, guest, 'owner')
  expect(await require(await sessionOf(service, guest))).toBeNull()
  expect(await require(operator)).toBeNull()
})

test('an owner sees how many members it concerns before requiring it', async () => {
  const { team, owner, provider, domain, session, there, preview } = await createScene()
  const [ada, disabled, guest] = [
    await createUser(database, { email: `ada-${team.slug}@${domain}` }),
    await createUser(database, { email: `off-${team.slug}@${domain}`, disabledAt: new Date() }),
    await createUser(database),
  ]
  for (const user of [ada, disabled, guest]) await join(database, team, user, 'member')
  const { id: providerId } = provider
  const counted = { providerId, members: 2, withoutSignIn: 2, viewerWouldLoseAccess: true, viewerHasPasskey: false }
  expect(await preview(session)).toEqual([counted])
  await signInThrough(service, provider, owner)
  await addPasskey({ service, principal: there })
  expect(await preview(there)).toEqual([{ ...counted, withoutSignIn: 1, viewerWouldLoseAccess: false, viewerHasPasskey: true }])
})
