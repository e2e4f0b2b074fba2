import type { Database } from '../../prisma/client.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import type { MailSettings, Outbox } from '../../src/mail/outbox.ts'
import type { Pace } from '../../src/mail/queue.ts'
import { secretKey, shortPace, silent } from './pace.ts'
import { startService } from './service.ts'
import type { TestService } from './service.ts'

export interface MailingService extends TestService {
  outbox: Outbox
}

/** A service whose mails really leave: `settings` says where to. */
export async function startMailingService(settings: Partial<MailSettings>, pace: Partial<Pace> = {}): Promise<MailingService> {
  const made: Outbox[] = []
  const service = await startService({ secretKey }, async ({ url, database, poolConfig, now }) => {
    const config = {
      authUrl: url,
      smtpUrl: undefined,
      mailFrom: 'Accounts <no-reply@accounts.test>',
      dataDir: '/nonexistent',
      nodeEnv: 'test',
      ...settings,
    }
    const parts = {
      config,
      poolConfig,
      database,
      deriveSecret: secretDeriver(secretKey),
      log: silent,
      now,
      pace: { ...shortPace, ...pace },
    }
    const outbox = createOutbox(parts)
    await outbox.start()
    made.push(outbox)
    return outbox
  })
  const [outbox] = made
  if (!outbox) throw new Error('no outbox')
  return { ...service, outbox }
}

/** Every value of every column of every table, ours and the queue's, as one text. */
export async function everythingStored({ pool }: Database): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'pgboss')`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)
    texts.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return texts.join('\n')
}
