import { openClient } from '../../prisma/client.ts'
import { createPresence } from '../../src/oidc/token/presence.ts'
import { poolConfigFor, urlConnection } from '../../src/database/connection.ts'

/** A process that is present in the database given as its argument until it is killed; tells its number in a line. */
const { pool } = openClient(poolConfigFor(urlConnection(process.argv[2] ?? ''), 'service', 2))
process.stdout.write(`${await createPresence(pool).id()}\n`)
