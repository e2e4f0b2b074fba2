import { createReadStream } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import type { Context } from '../../schema/context.ts'
import { prepareOperation, run } from '../../schema/execute.ts'
import { tokenScopes } from '../../schema/scopes.ts'
import { importLines } from '../cli/import/run.ts'
import { readLines } from '../cli/import/lines.ts'
import { withSession } from '../database/connection.ts'

/** A small team to look around in, in the format of `import`. */
const records = path.join(import.meta.dirname, 'acme.ndjson')
const operator = 'first start'

/**
 * Imports the demo team and answers the value of a fresh token of it, which is kept nowhere. For a database in which
 * nothing has ever been stored.
 */
export async function createDemo(connection: pg.ClientConfig, ports: Omit<Context, 'principal'>): Promise<string> {
  const options = { partial: false, operator, source: 'demo', onProgress: () => {} }
  const report = await withSession(connection, (session) =>
    importLines(
      session,
      readLines(createReadStream(records), () => {}),
      options,
    ),
  )
  if (report.wrongCount > 0) throw new Error('the demo team could not be imported')
  const context: Context = { ...ports, principal: { kind: 'operator', via: 'command_line', name: operator } }
  const created = await run<{ createTeamToken: { value: string } }>(createToken, { scopes: tokenScopes }, context)
  return created.createTeamToken.value
}

const createToken = prepareOperation(
  'demo token',
  'mutation ($scopes: [String!]!) { createTeamToken(input: { team: "acme", name: "Demo", scopes: $scopes }) { value } }',
)
