import { beforeEach, expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { requireSignIn, signInThrough } from '../../support/domains/required-sign-in.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database
const day = 86_400_000

/** A team that requires sign-in, with an owner who is not concerned and a member who is. */
async function createScene() {
  const { team, owner, token } = await createOwnedTeam(database)
  const requirement = await requireSignIn(service, team)
  const ben = await createUser(database, { name: 'Ben', email: requirement.address() })
  await join(database, team, ben, 'member')
  const document = 'mutation ($input: RemindOfRequiredSignInInput!) { remindOfRequiredSignIn(input: $input) { member { name } } }'
  const remind = async (userId: string) => {
    const { data, refusal } = await mutate(service, token, document, { input: { team: team.slug, userId } })
    return refusal ? (refusal.errors?.['userId']?.[0] ?? refusal.code) : data.remindOfRequiredSignIn.member.name
  }
  return { ...requirement, owner, token, ben, remind }
}

let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene()
  mails.length = 0
})

test('a member is reminded of the required sign-in once a day, also by parallel requests', async () => {
  const { team, ben, remind } = scene
  const responses = await Promise.all([1, 2, 3].map(() => remind(ben.id)))
  expect(responses.toSorted((one, other) => one.localeCompare(other))).toEqual(['Ben', 'rate_limited', 'rate_limited'])
  const data = { team: 'Acme', slug: team.slug, provider: 'Okta', from: team.signInRequiredAt?.toISOString() }
  expect(mails).toEqual([expect.objectContaining({ kind: 'sign-in-required', userId: ben.id, data })])
  clock.advance(day - 60_000)
  expect(await remind(ben.id)).toBe('rate_limited')
  clock.advance(60_000)
  expect(await remind(ben.id)).toBe('Ben')
})

test('no reminder is sent to a member who signed in, is not concerned or cannot receive it, and none without a requirement', async () => {
  const { team, provider, owner, ben, address, remind } = scene
  const unverified = await createUser(database, { email: address(), emailVerified: false })
  await join(database, team, unverified, 'member')
  expect(await remind(unverified.id)).toBe('This member has no verified email address, or a disabled account.')
  expect(await remind(owner.id)).toBe('The requirement does not apply to this member.')
  expect(await remind((await createUser(database)).id)).toBe('not_found')
  await signInThrough(service, provider, ben)
  expect(await remind(ben.id)).toBe('This member has already signed in there.')
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: null, signInRequiredAt: null } })
  expect(await remind(ben.id)).toBe('The team does not require sign-in.')
  expect(mails).toEqual([])
})

test('people are filtered by the required sign-in, for those only who may change members', async () => {
  const { team, provider, owner, token, ben, address } = scene
  const [ada, cy] = [await createUser(database, { email: address() }), await createUser(database, { email: address() })]
  for (const user of [ada, cy]) await join(database, team, user, 'member')
  await signInThrough(service, provider, ada)
  // So long ago that it no longer counts.
  await signInThrough(service, provider, cy, new Date(clock.now().getTime() - 31 * day))
  const list = (value: string) => `people(hasRequiredSignIn: ${value}) { total nodes { userId hasRequiredSignIn } }`
  const query = `{ team(slug: "${team.slug}") { done: ${list('true')} missing: ${list('false')} all: ${list('null')} } }`
  const read = async (reader: string) => {
    const { done, missing, all } = (await graphql(service, reader, query)).data.team
    return [done, missing, all].map(({ total, nodes }) => [
      total,
      Object.fromEntries(nodes.map((node: { userId: string; hasRequiredSignIn: boolean | null }) => [node.userId, node.hasRequiredSignIn])),
    ])
  }
  expect(await read(token)).toEqual([
    [1, { [ada.id]: true }],
    [2, { [ben.id]: false, [cy.id]: false }],
    [4, { [owner.id]: null, [ada.id]: true, [ben.id]: false, [cy.id]: false }],
  ])
  const reader = await createUser(database)
  await join(database, team, reader, 'member')
  const all = Object.fromEntries([owner, ada, ben, cy, reader].map(({ id }) => [id, null]))
  expect(await read(await personalToken(database, reader))).toEqual([
    [0, {}],
    [0, {}],
    [5, all],
  ])
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: null, signInRequiredAt: null } })
  expect((await read(token)).map(([total]) => total)).toEqual([0, 0, 5])
})
