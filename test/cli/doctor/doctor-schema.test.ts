import { expect, onTestFinished, test } from 'vitest'
import { missingObjects } from '../../../src/cli/checks/schema-objects.ts'
import { useCli } from '../../support/service/cli.ts'

const cli = useCli()

async function findMissing() {
  const session = await cli.pool.connect()
  onTestFinished(() => session.release())
  return missingObjects(session)
}

test.each([
  [
    'index',
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class c ON c.oid = indexrelid
             WHERE relnamespace = 'public'::regnamespace AND (indpred IS NOT NULL OR indexprs IS NOT NULL) AND relname !~ '_search$'`,
  ],
  [
    'trigger',
    `SELECT tgname AS name FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
               WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal`,
  ],
])('doctor names every %s of the migrations that Prisma does not compare, if it is missing', async (kind, query) => {
  const { rows } = await cli.pool.query<{ name: string }>(`${query} ORDER BY 1`)
  expect(rows.length).toBeGreaterThan(10)
  expect(await findMissing()).toEqual([])
  const session = await cli.pool.connect()
  await session.query('BEGIN; CREATE SCHEMA elsewhere; SET LOCAL search_path = elsewhere')
  const missing = await missingObjects(session)
  await session.query('ROLLBACK')
  session.release()
  const problems = missing.map(({ problem }) => problem).filter((problem) => problem.startsWith(`the ${kind} `))
  expect(problems).toEqual(rows.map(({ name }) => `the ${kind} ${name} is missing`))
})

test('doctor names the migration that creates a missing index, and disabled triggers', async () => {
  await cli.pool.query(
    'ALTER TABLE members DISABLE TRIGGER members_last_owner; DROP TRIGGER members_person ON members; DROP INDEX invitations_one_pending',
  )
  expect(await findMissing()).toEqual([
    {
      problem: 'the index invitations_one_pending is missing',
      action: 'run the statement of prisma/migrations/20261125000000_initial/migration.sql that creates it',
    },
    {
      problem: 'the trigger members_person is missing',
      action: 'run the statement of prisma/migrations/20261125000000_initial/migration.sql that creates it',
    },
    { problem: 'the trigger members_last_owner is disabled', action: 'run ALTER TABLE members ENABLE TRIGGER members_last_owner' },
  ])
})
