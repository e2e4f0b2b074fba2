import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { seedSite } from '../../support/account-site/seed.ts'
import { fillLargeTables } from '../../support/data/large/large-tables.ts'
import { rowsRead } from '../../support/data/rows-read.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { addQueuedJob } from '../../support/service/periodic-work.ts'
import { useService } from '../../support/service/service.ts'

// What staff read about one account and of the outbox costs the same for any number of users and emails.

const service = useService()
const { database } = service
const { pool } = database
let token: string
let user: User
beforeAll(async () => {
  ;({ person: user } = await seedSite(service, 'Ada'))
  token = await staffToken(database, await createStaff(database))
  await addQueuedJob(service.databaseUrl)
  await fillLargeTables(service)
  await pool.query(
    `INSERT INTO pgboss.job (name, data, state, output, created_on)
     SELECT 'mail', jsonb_build_object('kind', 'new-device', 'userId', CASE WHEN n % 40000 = 0 THEN $1 ELSE gen_random_uuid()::text END),
       (CASE WHEN n % 20000 = 0 THEN 'failed' ELSE 'completed' END)::pgboss.job_state, '{}', now() - n * interval '1 second'
     FROM generate_series(1, 100000) n`,
    [user.id],
  )
  await pool.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_user_id, actor_name, authentication_method, subject, request_id)
     SELECT now() - n * interval '1 second', CASE WHEN n > 1000 THEN 'updateProfile' ELSE 'readAsStaff' END, 'user', $1, 'Ada', 'session', 'x', 'x'
     FROM generate_series(1, 20000) n`,
    [user.id],
  )
  await pool.query('VACUUM ANALYZE')
}, 600_000)

/** Returns the numbers of rows that the statements of a read of staff read, except those of the credential and of the audit entry. */
async function countRows(selection: string): Promise<number[]> {
  service.executions.length = 0
  const { errors } = await graphql(service, token, `{ staff { ${selection} } }`)
  expect(errors).toEqual([])
  const reads = service.executions.filter(({ text }) => /^\s*(SELECT|WITH)/.test(text) && !/hash = \$1|UPDATE/.test(text))
  return Promise.all(reads.map(({ text, values }) => rowsRead(pool, text, values)))
}

test('an account reads few rows', async () => {
  const rows = await countRows(
    `account(id: "${user.id}") { user { email } sessions { device } memberships { team { slug } } failedAttempts { attempts } activity { at } }`,
  )
  expect(rows.length).toBeGreaterThanOrEqual(3)
  expect(rows.filter((count) => count > 1000)).toEqual([])
})

describe('the emails read few rows', () => {
  test.each([
    ['on the first page', ''],
    ['on the last page', '(page: 20)'],
    ['beyond it', '(page: 2000)'],
    ['if they failed', '(state: FAILED)'],
    ['if they were dropped', '(state: DROPPED)'],
    ['of a user', '(search: "USER")'],
  ])('%s', async (_, args) => {
    const rows = await countRows(`mails${args.replace('USER', user.id)} { total nodes { mailId user { email } } }`)
    expect(rows.length).toBeGreaterThanOrEqual(1)
    expect(rows.filter((count) => count > 2500)).toEqual([])
  })
})
