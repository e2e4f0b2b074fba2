import { createReadStream } from 'node:fs'
import { importLines } from '../../../src/data-transfer/import/run-import.ts'
import { readLines } from '../../../src/data-transfer/import/lines.ts'
import { withSession } from '../../../src/database/connection.ts'

/** Imports the demo team into a database. */
export function importDemo(poolConfig: object) {
  const options = { partial: false, operator: 'test', source: 'demo', onProgress: () => {} }
  const bytes = createReadStream('src/demo/acme.ndjson')
  return withSession(poolConfig, (session) =>
    importLines(
      session,
      readLines(bytes, () => {}),
      options,
    ),
  )
}
