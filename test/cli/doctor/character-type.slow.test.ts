import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { urlConnection, withSession } from '../../../src/database/connection.ts'
import { settingsFor, succeed, useFolder } from '../../support/backup/backup-files.ts'
import { runCli } from '../../support/service/cli.ts'
import { planDatabase } from '../../support/service/database.ts'

// Earlier versions created the embedded database with the character type C (docs/decisions/pagination.md#letters).

const folder = useFolder()
const old = planDatabase()
const restored = planDatabase({ migrated: false })
const settings = settingsFor(old.url, folder('none'))
const restoredSettings = settingsFor(restored.url, folder('none'))

beforeAll(async () => {
  await withSession(urlConnection(inject('testCluster').adminUrl), (session) =>
    session.query(`CREATE DATABASE ${new URL(old.url).pathname.slice(1)} TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'`),
  )
  await restored.create()
  await runCli(settings, ['migrate', 'deploy'])
  await withSession(old.poolConfig, (session) =>
    session.query(
      `INSERT INTO users (email, name) VALUES ('lukasz@example.com', 'Łukasz');
       INSERT INTO teams (slug, name) VALUES ('crew', 'Crew');
       INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'owner' FROM teams t, users u`,
    ),
  )
})
afterAll(async () => {
  await old.drop()
  await restored.drop()
})

interface Result {
  check: string
  state: string
  problems: { problem: string; action: string }[]
}

async function resultOf(env: Record<string, string>, name: string): Promise<Result | undefined> {
  const { data }: { data: Result[] } = JSON.parse((await runCli(env, ['doctor', '--json'])).stdout)
  return data.find(({ check }) => check === name)
}

const ofCharacterType = async (env: Record<string, string>) =>
  (await resultOf(env, 'postgresql'))?.problems.filter(({ problem }) => problem.includes('LC_CTYPE'))

test('doctor reports a database with the character type C, and a restored backup is corrected by doctor --repair', async () => {
  expect(await ofCharacterType(settings)).toEqual([
    {
      problem: 'the character type (LC_CTYPE) is C: letters other than A to Z are compared exactly',
      action: expect.stringContaining('restore it into a new data folder, or into a new database with a UTF-8 character type'),
    },
  ])
  await succeed(settings, ['backup', folder('old.backup')])
  await succeed(restoredSettings, ['restore', folder('old.backup')])
  expect(await ofCharacterType(restoredSettings)).toEqual([])

  // The kept names in lower case are those of the old database.
  const repaired = JSON.parse((await runCli(restoredSettings, ['doctor', '--repair', '--json'])).stdout)
  expect(repaired.data).toContainEqual(
    repairedCheck(
      'names',
      "1 member has a kept name or email address that differs from the user's",
      'member lukasz@example.com of team crew',
    ),
  )
  expect(await resultOf(restoredSettings, 'names')).toEqual({ check: 'names', state: 'ok', problems: [], warnings: [] })
})

const repairedCheck = (check: string, problem: string, ...first: string[]) => ({
  check,
  state: 'repaired',
  problems: [{ problem, action: 'run doctor --repair', rows: { count: first.length, first } }],
  warnings: [],
})
