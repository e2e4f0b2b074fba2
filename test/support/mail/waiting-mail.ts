import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { createOutbox } from '../../../src/jobs/outbox.ts'
import { mailQueue } from '../../../src/mail/mail-records.ts'
import type { TestService } from '../service/service.ts'
import { shortTiming, silent } from '../service/test-settings.ts'

/** Adds a mail to a user to the outbox, which no process sends, and returns its identifier. */
export async function createWaitingMail({ database, databaseUrl }: TestService, { id: userId }: User): Promise<string> {
  const outbox = createOutbox({ poolConfig: { connectionString: databaseUrl }, log: silent, timing: shortTiming })
  const queue = outbox.register<object>({ queue: mailQueue, concurrency: 1, handle: () => Promise.reject(new Error('not sent')) })
  await queue.open()
  await inTransaction(database, (transaction) =>
    queue.add(transaction, { kind: 'second-factor-on', userId, at: new Date().toISOString(), data: {} }),
  )
  await outbox.stop()
  const { rows } = await database.pool.query<{ id: string }>(`SELECT id FROM pgboss.job WHERE data->>'userId' = $1`, [userId])
  return rows[0]?.id ?? ''
}
