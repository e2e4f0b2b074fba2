import type { Router } from 'express'
import type pg from 'pg'
import { fromPrisma } from 'pg-boss'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../../prisma/client.ts'
import type { Mail, Ports } from '../../schema/context.ts'
import { createCompose } from './compose.ts'
import { deliver } from './delivery.ts'
import { keepingTransport, mailFolder } from './kept-mail.ts'
import { createMailbox } from './mailbox.ts'
import { openQueue, queueName, steadyPace } from './queue.ts'
import type { Pace } from './queue.ts'
import { listMails, retryMail } from './records.ts'
import type { MailRecord, MailState } from './records.ts'
import { smtpTransport } from './smtp.ts'

/** The settings this module needs; the service's configuration has them. */
export interface MailSettings {
  authUrl: string
  /** Undefined: mails are kept in the data folder. */
  smtpUrl: string | undefined
  mailFrom: string
  dataDir: string
  nodeEnv: string
}

export interface OutboxParts extends Pick<Ports, 'deriveSecret'> {
  config: MailSettings
  /** How the database is reached; the outbox opens a few connections of its own. */
  poolConfig: pg.PoolConfig
  database: Database
  log: Logger
  now?: () => Date
  pace?: Partial<Pace>
}

export interface Outbox {
  /** Puts a mail in within the transaction: it leaves if, and only if, the transaction commits. */
  sendMail: Ports['sendMail']
  /** Sends what is in the outbox, from now on; for the service. A command only puts in, lists and retries. */
  start(): Promise<void>
  /** Finishes the mails under way, for at most `seconds`, and closes; what was not sent stays in the outbox. */
  stop(seconds?: number): Promise<void>
  /** Where kept mails are read: for a service without a mail server, outside production. */
  mailbox: Router | undefined
  list(state?: MailState, limit?: number): Promise<MailRecord[]>
  /** Has a mail that failed, or waits, tried now; false where there is no such mail. */
  retry(id: string): Promise<boolean>
}

// At once, by one process. Most mail servers take this many connections from one client.
const batchSize = 5

/** The transactional outbox: mails wait in the database beside what they tell of, and leave after the commit. */
export function createOutbox({
  config,
  poolConfig,
  database,
  deriveSecret,
  log,
  now = () => new Date(),
  pace: given,
}: OutboxParts): Outbox {
  const pace = { ...steadyPace, ...given }
  const { smtpUrl, mailFrom, dataDir, authUrl } = config
  const keeps = smtpUrl === undefined
  const transport = keeps ? keepingTransport(dataDir, mailFrom) : smtpTransport(smtpUrl, mailFrom)
  const compose = createCompose({ database, now, deriveSecret, authUrl })

  let opening: Promise<PgBoss> | undefined
  function open(worker: boolean): Promise<PgBoss> {
    opening ??= openQueue(poolConfig, worker, pace, log).catch((error: unknown) => {
      // The next one to ask tries again.
      opening = undefined
      throw error
    })
    return opening
  }

  return {
    async sendMail(transaction, mail) {
      const boss = await open(false)
      const id = await boss.send(queueName, mail, { db: fromPrisma(transaction) })
      if (id === null) throw new Error('the outbox did not take a mail')
    },
    async start() {
      if (opening) throw new Error('the outbox is open already')
      if (keeps) log.info(`SMTP_URL is not set: mails are kept in ${mailFolder(dataDir)}`)
      const boss = await open(true)
      const options = {
        batchSize,
        burstWhenBatchFull: true,
        includeMetadata: true,
        perJobResults: true,
        pollingIntervalSeconds: Math.min(2, pace.pollSeconds),
        notifyPollingIntervalSeconds: pace.pollSeconds,
      } as const
      await boss.work<Mail, unknown, typeof options>(queueName, options, (jobs) =>
        Promise.all(jobs.map((job) => deliver({ compose, transport, log }, job))),
      )
    },
    async stop(seconds = 30) {
      // An opening that failed was reported to the one who asked for it.
      const boss = await opening?.catch(() => undefined)
      opening = undefined
      await boss?.stop({ graceful: true, timeout: seconds * 1000 })
      transport.close()
    },
    mailbox: keeps && config.nodeEnv !== 'production' ? createMailbox(mailFolder(dataDir), authUrl) : undefined,
    async list(state, limit) {
      await open(false)
      return listMails(database, state, limit)
    },
    async retry(id) {
      return retryMail(await open(false), id, pace.retries)
    },
  }
}
