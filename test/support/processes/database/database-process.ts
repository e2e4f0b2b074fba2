import { readConfig } from '../../../../src/config/settings.ts'
import { openDatabase } from '../../../../src/database/open.ts'
import { getErrorMessage } from '../../../../src/config/error-message.ts'

/**
 * A program that opens the database in the role of its argument, `service` or `command`, and keeps it open until SIGTERM.
 * Prints each event as a line of JSON.
 */
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const log = { info: (info: string) => print({ info }), warn: (warning: string) => print({ warning }) }
const role = process.argv[2] === 'service' ? 'service' : 'command'

try {
  const onEvicted = (error: Error) => print({ evicted: error.message })
  const database = await openDatabase(readConfig(), role, log, { onEvicted })
  await database.announce('http://127.0.0.1:4711')
  const keepAlive = setInterval(() => {}, 60_000)
  process.once('SIGTERM', () => {
    clearInterval(keepAlive)
    void database.close().then(() => print({ closed: true }))
  })
  print({ open: { poolConfig: database.poolConfig, firstStart: database.firstStart } })
} catch (error) {
  print({ error: getErrorMessage(error) })
  process.exitCode = 1
}
