import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/database/open.ts'
import { messageOf } from '../../src/failure.ts'

/**
 * A process that opens the database in the role given as its argument and holds it until SIGTERM: the service or a
 * command, less what they do with it. Tells its story in lines of JSON.
 */
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const log = { info: (info: string) => tell({ info }), warn: (warning: string) => tell({ warning }) }
const role = process.argv[2] === 'service' ? 'service' : 'command'

try {
  const onEvicted = (error: Error) => tell({ evicted: error.message })
  const database = await openDatabase(readConfig(), role, log, { onEvicted })
  await database.announce('http://127.0.0.1:4711')
  const hold = setInterval(() => {}, 60_000)
  process.once('SIGTERM', () => {
    clearInterval(hold)
    void database.close().then(() => tell({ closed: true }))
  })
  tell({ open: { poolConfig: database.poolConfig, firstStart: database.firstStart } })
} catch (error) {
  tell({ error: messageOf(error) })
  process.exitCode = 1
}
