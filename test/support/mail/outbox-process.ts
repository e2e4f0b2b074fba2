import { openClient } from '../../../prisma/connection/database.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { readConfig } from '../../../src/config/settings.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { secretKey, shortTiming, silent } from '../service/test-settings.ts'
import { createMailOutbox } from './mail-outbox.ts'

/**
 * A process with an outbox on DATABASE_URL, which tests kill. `enqueue ID NONCE` commits an invitation mail without
 * sending it; `send` starts the worker. Prints `ready` when the mail is committed or the worker has started.
 */
const [, , command, invitationId = '', nonce = ''] = process.argv
const config = readConfig()
const { poolConfig } = await openDatabase(config, 'service', { info: () => {}, warn: () => {} })
const database = openClient(poolConfig)
// The process that starts after this one was killed takes its job after two seconds.
const timing = { ...shortTiming, abandonedSeconds: 2 }
const outbox = createMailOutbox({ config, poolConfig, database, deriveSecret: secretDeriver(secretKey), log: silent, timing })
if (command === 'send') await outbox.start()
else await inTransaction(database, (transaction) => outbox.sendMail(transaction, { kind: 'invitation', invitationId, nonce }))
process.stdout.write('ready\n')
setInterval(() => {}, 60_000)
