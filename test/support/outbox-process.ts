import { openClient } from '../../prisma/client.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { secretKey, shortPace, silent } from './pace.ts'

/**
 * A process with an outbox on DATABASE_URL, to be killed. `put ID NONCE` puts a mail in and commits, and sends nothing;
 * `send` sends what is in. Says `ready` when that is done, or begun.
 */
const [, , role, invitationId = '', nonce = ''] = process.argv
const config = readConfig()
const { poolConfig } = await openDatabase(config, 'service', { info: () => {}, warn: () => {} })
const database = openClient(poolConfig)
const outbox = createOutbox({ config, poolConfig, database, deriveSecret: secretDeriver(secretKey), log: silent, pace: shortPace })
if (role === 'send') await outbox.start()
else await database.prisma.$transaction((transaction) => outbox.sendMail(transaction, { kind: 'invitation', invitationId, nonce }))
process.stdout.write('ready\n')
setInterval(() => {}, 60_000)
