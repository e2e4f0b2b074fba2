import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import type { QueueTiming } from '../../../src/jobs/queue.ts'
import type { MailSettings } from '../../../src/mail/mailer.ts'
import { secretKey, shortTiming, silent } from '../service/test-settings.ts'
import { startService, useService } from '../service/service.ts'
import type { CreateOutbox, TestService } from '../service/service.ts'
import { createMailOutbox } from './mail-outbox.ts'
import type { MailOutbox } from './mail-outbox.ts'

export interface MailingService extends TestService {
  outbox: MailOutbox
}

/** A service for all tests of a file that sends its mails to a mail server or stores them, depending on `settings`. */
export function useMailingService(settings: Partial<MailSettings>, timing: Partial<QueueTiming> = {}): MailingService {
  const { createOutbox, outbox } = prepareOutbox(settings, timing)
  const service = useService({ secretKey, createOutbox })
  return { ...service, outbox: outbox() }
}

/** Starts such a service within a test. It stops when the test ends. */
export async function startMailingService(settings: Partial<MailSettings>, timing: Partial<QueueTiming> = {}): Promise<MailingService> {
  const { createOutbox, outbox } = prepareOutbox(settings, timing)
  const service = await startService({ secretKey, createOutbox })
  return { ...service, outbox: outbox() }
}

function prepareOutbox(
  settings: Partial<MailSettings>,
  timing: Partial<QueueTiming>,
): { createOutbox: CreateOutbox; outbox: () => MailOutbox } {
  let created: MailOutbox | undefined
  const createOutbox: CreateOutbox = ({ url, database, poolConfig, now }) => {
    const config: MailSettings = {
      authUrl: url,
      smtpUrl: undefined,
      mailFrom: 'Accounts <no-reply@accounts.test>',
      dataDir: '/nonexistent',
      nodeEnv: 'test',
      trustProxy: false,
      brandName: 'Team accounts',
      brandColor: '#1d55c4',
      ...settings,
    }
    created = createMailOutbox({
      config,
      poolConfig,
      database,
      deriveSecret: secretDeriver(secretKey),
      log: silent,
      now,
      timing: { ...shortTiming, ...timing },
    })
    return created
  }
  const outbox = () => {
    if (!created) throw new Error('the service did not create an outbox')
    return created
  }
  return { createOutbox, outbox }
}

/** Returns all rows of all tables as one text, including those of the job queue. */
export async function everythingStored({ pool }: OpenDatabase): Promise<string> {
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
