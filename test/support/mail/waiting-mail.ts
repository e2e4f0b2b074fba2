import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { outboxIndexes } from '../../../schema/core/mails/outbox-mails.ts'
import { createOutbox } from '../../../src/jobs/outbox.ts'
import { mailQueue } from '../../../src/mail/mail-records.ts'
import type { TestService } from '../service/service.ts'
import { shortTiming, silent } from '../service/test-settings.ts'

/** Adds a mail to a user to the outbox, which no process sends, and returns its identifier. */
export const createWaitingMail = (service: TestService, { id: userId }: User): Promise<string> =>
  addWaitingMail(service, { kind: 'second-factor-on', userId, at: new Date().toISOString(), data: {} }, { userId })

/** Adds a mail to the outbox, which no process sends, and returns its identifier, by members that only this mail has. */
export async function addWaitingMail({ database, databaseUrl }: TestService, mail: object, own: object): Promise<string> {
  const outbox = createOutbox({ poolConfig: { connectionString: databaseUrl }, log: silent, timing: shortTiming })
  const queue = outbox.register<object>({
    queue: mailQueue,
    indexes: outboxIndexes,
    concurrency: 1,
    handle: () => Promise.reject(new Error('not sent')),
  })
  await queue.open()
  await inTransaction(database, (transaction) => queue.add(transaction, mail))
  await outbox.stop()
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM pgboss.job WHERE data @> $1::jsonb', [JSON.stringify(own)])
  return rows[0]?.id ?? ''
}
