import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import path from 'node:path'
import type pg from 'pg'
import type { Context } from '../../schema/core/context.ts'
import { prepareOperation, run } from '../../schema/execute.ts'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { tokenScopes } from '../../schema/core/scopes.ts'
import { importLines } from '../data-transfer/import/run-import.ts'
import { readLines } from '../data-transfer/import/lines.ts'
import { withSession } from '../database/connection.ts'

/** A small team, in the format of `import`. */
const records = path.join(projectFolder, 'src', 'demo', 'acme.ndjson')
const operator = 'Demo set-up'
const owner = { email: 'ada@acme.example', name: 'Ada Moreau', email_verified: true }

/** Credentials for the demo team. They are printed once and stored only as hashes. */
export interface Demo {
  /** Value of a team token with every scope. */
  token: string
  /** The owner's email address. */
  email: string
  password: string
}

/** Imports the demo team into a new database and returns its credentials. */
export async function createDemo(connection: pg.ClientConfig, ports: Omit<Context, 'principal'>): Promise<Demo> {
  const password = randomBytes(12).toString('base64url')
  await importDemo(connection, createReadStream(records))
  await importDemo(connection, Readable.from([Buffer.from(JSON.stringify({ type: 'user', ...owner, password }))]))
  const context: Context = { ...ports, principal: { kind: 'operator', authenticationMethod: 'command_line', name: operator } }
  const created = await run<{ createTeamToken: { value: string } }>(createToken, { scopes: tokenScopes }, context)
  return { token: created.createTeamToken.value, email: owner.email, password }
}

async function importDemo(connection: pg.ClientConfig, source: Readable): Promise<void> {
  const options = { partial: false, operator, source: 'demo', onProgress: () => {} }
  const report = await withSession(connection, (session) =>
    importLines(
      session,
      readLines(source, () => {}),
      options,
    ),
  )
  if (report.wrongCount > 0) throw new Error('the demo team could not be imported')
}

const createToken = prepareOperation(
  'demo token',
  'mutation ($scopes: [String!]!) { createTeamToken(input: { team: "acme", name: "Demo", scopes: $scopes }) { value } }',
)
