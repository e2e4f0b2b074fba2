import { expect, test, beforeAll } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { createAttemptLimits } from '../../../src/auth/attempt-limits.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createUser } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { noAttemptLimits, secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
let token: string
beforeAll(async () => {
  token = await staffToken(database, await createStaff(database))
})

const read = async ({ id }: Pick<User, 'id'>, selection: string) => {
  const { data, errors } = await graphql(service, token, `{ staff { account(id: "${id}") { ${selection} } } }`)
  expect(errors).toEqual([])
  return data.staff.account
}

test('the counts of failed attempts of the account, until their window ends', async () => {
  const user = await createUser(database)
  const other = await createUser(database)
  const limits = createAttemptLimits({
    database,
    deriveSecret: secretDeriver(secretKey),
    limits: { ...noAttemptLimits, rateLimitSignInAccount: 2 },
  })
  const attempt = () => limits.signInAccount.attempt(user.email)
  await attempt()
  await attempt()
  await expect(attempt()).rejects.toMatchObject({ code: 'rate_limited' })
  await limits.secondFactor.attempt(user.id)
  const failed = (account: User) => read(account, 'failedAttempts { step attempts endsAt }')
  const endsAt = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(await failed(user)).toEqual({
    failedAttempts: [
      { step: 'FIRST', attempts: 3, endsAt },
      { step: 'SECOND_FACTOR', attempts: 1, endsAt },
    ],
  })
  expect(await failed(other)).toEqual({ failedAttempts: [] })
  await limits.signInAccount.clear(user.email)
  await prisma.attemptCount.updateMany({ data: { expire: BigInt(clock.now().getTime() - 1) } })
  expect(await failed(user)).toEqual({ failedAttempts: [] })
})

test('the activity contains acts of staff with their reason, and no reads by staff', async () => {
  const user = await createUser(database)
  await executeAs(service, operator, 'mutation ($email: String!) { disableUser(input: { email: $email }) { user { email } } }', {
    email: user.email,
  })
  const staff = await createStaff(database, { staffRole: 'admin' })
  const enable = 'mutation ($email: String!) { enableUser(input: { email: $email, reason: "Ticket 4711" }) { user { email } } }'
  expect((await executeAs(service, await sessionOf(service, staff), enable, { email: user.email })).refusal).toBeNull()
  const selection = 'activity { actionName actorKind actorName reason }'
  await read(user, selection)
  expect((await read(user, selection)).activity).toEqual([
    { actionName: 'enableUser', actorKind: 'STAFF', actorName: 'Grace', reason: 'Ticket 4711' },
    { actionName: 'disableUser', actorKind: 'OPERATOR', actorName: 'tester', reason: null },
  ])
  expect((await read(staff, selection)).activity).toEqual([expect.objectContaining({ actionName: 'enableUser' })])
})
