import type { Router } from 'express'
import type { Logger } from 'pino'
import type { Ports } from '../../schema/core/ports.ts'
import { isWanted } from '../../schema/core/mails/mail-choices.ts'
import { outboxIndexes } from '../../schema/core/mails/outbox-mails.ts'
import type { OutboxMail } from '../../schema/core/mails/outbox-mails.ts'
import type { Tracer } from '../../schema/core/observation/tracing.ts'
import type { Outbox } from '../jobs/outbox.ts'
import { hasDevelopmentHelp } from '../config/development.ts'
import type { DevelopmentSettings } from '../config/development.ts'
import { buildBrand } from '../web/brand/brand.ts'
import type { BrandSettings } from '../web/brand/brand.ts'
import { currentRequest } from '../http/logging/current-request.ts'
import { deliver } from './delivery.ts'
import type { MailJob } from './delivery.ts'
import { fileTransport, mailFolder } from './stored-mail.ts'
import { listMails, mailQueue } from './mail-records.ts'
import type { MailState } from './mail-records.ts'
import { createMailbox } from './mailbox.ts'
import { createCompose } from './mails.ts'
import { smtpTransport } from './smtp.ts'

/** The settings that this module reads. */
export interface MailSettings extends DevelopmentSettings, BrandSettings {
  /** URL of the mail server. If undefined, mails are stored in the data folder. */
  smtpUrl: string | undefined
  mailFrom: string
  dataDir: string
}

export interface MailerParts extends Pick<Ports, 'database' | 'deriveSecret'> {
  /** Outbox for the mails, in which the mailer registers its kind of job. */
  outbox: Outbox
  config: MailSettings
  log: Logger
  tracer?: Tracer | undefined
  now?: Ports['now']
}

export interface Mailer {
  /** Adds a mail to the outbox unless its recipient has switched it off. It is sent if, and only if, the transaction commits. */
  sendMail: Ports['sendMail']
  /** Pages that show stored mails; undefined with a mail server, or if others can reach the service. */
  mailbox: Router | undefined
  list(state?: MailState, limit?: number): Promise<OutboxMail[]>
  /** Resolves once the tables of the outbox exist. */
  open(): Promise<void>
}

// Most mail servers accept at least this many connections from one client.
const concurrency = 5

/** Sends mails as jobs of the outbox, through the mail server or, without one, into the data folder. */
export function createMailer({ outbox, config, database, deriveSecret, log, tracer, now = () => new Date() }: MailerParts): Mailer {
  const { smtpUrl, mailFrom, dataDir, authUrl } = config
  const storesMails = smtpUrl === undefined
  if (storesMails) log.info(`SMTP_URL is not set: emails are stored in ${mailFolder(dataDir)}`)
  const transport = storesMails ? fileTransport(dataDir, mailFrom) : smtpTransport(smtpUrl, mailFrom)
  const brand = buildBrand(config)
  const compose = createCompose({ database, now, deriveSecret, authUrl, brand })
  const queue = outbox.register<MailJob>({
    queue: mailQueue,
    indexes: outboxIndexes,
    concurrency,
    handle: (job) => deliver({ compose, transport, log, tracer }, job),
    close: transport.close,
  })
  return {
    async sendMail(transaction, mail) {
      if (await isWanted(transaction, mail)) await queue.add(transaction, { ...mail, traceparent: currentRequest()?.traceparent })
    },
    mailbox: storesMails && hasDevelopmentHelp(config) ? createMailbox(mailFolder(dataDir), authUrl) : undefined,
    async list(state, limit) {
      await queue.open()
      return listMails(database, state, limit)
    },
    open: queue.open,
  }
}
