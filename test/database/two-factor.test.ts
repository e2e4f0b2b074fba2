import { expect, test } from 'vitest'
import { hasTwoFactor } from '../../schema/core/team-access/two-factor.ts'
import { addPasskey, enablePasskeyFactor, enableTotp } from '../support/data/second-factor.ts'
import { createUser } from '../support/data/team.ts'
import { sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { database } = service

const cases: [string, boolean, (user: Parameters<typeof enableTotp>[0]) => Promise<unknown>][] = [
  ['a password alone', false, () => Promise.resolve()],
  ['an authenticator app', true, enableTotp],
  ['a passkey that replaces the password', false, addPasskey],
  ['a passkey as the second factor', true, enablePasskeyFactor],
]

test.each(cases)('the function of requests and the condition of lists agree on %s', async (_, expected, add) => {
  const user = await createUser(database)
  await add({ service, principal: await sessionOf(service, user) })
  const text = `SELECT has_two_factor(u.id) AS called, ${hasTwoFactor('u.id')} AS written FROM users u WHERE u.id = $1`
  const { rows } = await database.pool.query(text, [user.id])
  expect(rows).toEqual([{ called: expected, written: expected }])
})
