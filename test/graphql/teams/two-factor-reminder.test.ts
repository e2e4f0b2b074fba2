import { expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database

/** A team with an owner and the member Ben, and what reminds a member. */
async function createScene() {
  const { team, owner, token } = await createOwnedTeam(database)
  const ben = await createUser(database, { name: 'Ben' })
  await join(database, team, ben, 'member')
  const document = 'mutation ($input: RemindOfTwoFactorInput!) { remindOfTwoFactor(input: $input) { member { name } } }'
  const remind = async (userId: string) => {
    const { data, refusal } = await mutate(service, token, document, { input: { team: team.slug, userId } })
    return refusal ? (refusal.errors?.['userId']?.[0] ?? refusal.code) : data.remindOfTwoFactor.member.name
  }
  mails.length = 0
  return { team, owner, token, ben, remind }
}

test('a member is reminded of two-factor authentication once a day, also by parallel requests', async () => {
  const { team, ben, remind } = await createScene()
  const responses = await Promise.all([1, 2, 3].map(() => remind(ben.id)))
  expect(responses.toSorted((one, other) => one.localeCompare(other))).toEqual(['Ben', 'rate_limited', 'rate_limited'])
  expect(mails).toEqual([
    expect.objectContaining({ kind: 'two-factor-required', userId: ben.id, data: { team: 'Acme', slug: team.slug, from: null } }),
  ])
  clock.advance(86_400_000 - 60_000)
  expect(await remind(ben.id)).toBe('rate_limited')
  clock.advance(60_000)
  const from = new Date(clock.now().getTime() + 86_400_000)
  await prisma.team.update({ where: { id: team.id }, data: { twoFactorRequiredAt: from } })
  expect([await remind(ben.id), mails.at(-1)]).toMatchObject(['Ben', { data: { from: from.toISOString() } }])
})

test('no reminder is sent to a member who uses two-factor authentication or cannot receive it, and none to a stranger', async () => {
  const { team, ben, remind } = await createScene()
  const [disabled, unverified] = [
    await createUser(database, { disabledAt: new Date() }),
    await createUser(database, { emailVerified: false }),
  ]
  for (const user of [disabled, unverified]) await join(database, team, user, 'member')
  const unreachable = 'This member has no verified email address, or a disabled account.'
  expect([await remind(disabled.id), await remind(unverified.id)]).toEqual([unreachable, unreachable])
  expect(await remind((await createUser(database)).id)).toBe('not_found')
  await prisma.user.update({ where: { id: ben.id }, data: { totpSecret: Buffer.alloc(20) } })
  expect(await remind(ben.id)).toBe('This member already uses two-factor authentication.')
  expect(mails).toEqual([])
})

test('people are filtered by two-factor authentication, for those only who may change members', async () => {
  const { team, owner, token, ben } = await createScene()
  await prisma.user.update({ where: { id: owner.id }, data: { totpSecret: Buffer.alloc(20) } })
  const list = (value: string) => `people(hasTwoFactor: ${value}) { total nodes { userId } }`
  const query = `{ team(slug: "${team.slug}") { on: ${list('true')} off: ${list('false')} all: ${list('null')} } }`
  const read = async (reader: string) => {
    const { on, off, all } = (await graphql(service, reader, query)).data.team
    return [on, off, all].map(({ total, nodes }) => [total, nodes.map(({ userId }: { userId: string }) => userId)])
  }
  expect(await read(token)).toEqual([
    [1, [owner.id]],
    [1, [ben.id]],
    [2, [owner.id, ben.id]],
  ])
  expect(await read(await personalToken(database, ben))).toEqual([
    [0, []],
    [0, []],
    [2, [owner.id, ben.id]],
  ])
})
