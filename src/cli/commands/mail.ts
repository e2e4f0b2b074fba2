import { openClient } from '../../../prisma/connection/database.ts'
import { DomainError } from '../../../schema/core/errors.ts'
import { readConfig } from '../../config/settings.ts'
import { openDatabase } from '../../database/open.ts'
import type { OutboxMail } from '../../../schema/core/mails/outbox-mails.ts'
import type { MailState } from '../../mail/mail-records.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { command, UsageError } from '../command.ts'
import { asOperator, commandLog } from '../context.ts'
import { RetryMailDocument } from '../generated/operations.ts'
import { createCommandMailer } from '../command-mailer.ts'
import { CommandFailure } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { currentTerminal } from '../terminal/terminal.ts'

const states = ['pending', 'failed', 'sent'] as const satisfies MailState[]
const maxLimit = 10_000

export const mailList = command({
  name: 'mail list',
  summary: 'List the emails of the outbox',
  description: 'Lists pending emails, and the emails that were sent or failed in the last two weeks, newest first.',
  options: {
    state: { value: 'STATE', values: states, description: 'list only emails in this state' },
    limit: { value: 'N', description: `maximum number of emails, up to ${maxLimit} (default: 100)` },
  },
  run: async ({ options }) => {
    const limit = /^\d{1,5}$/.test(options.limit ?? '100') ? Number(options.limit ?? 100) : 0
    if (limit < 1 || limit > maxLimit) throw new UsageError(`--limit must be a number from 1 to ${maxLimit}; it is ${options.limit}`)
    const mails = await withMailer((mailer) => mailer.list(options.state, limit))
    const rows = mails.map((mail) => [
      mail.recipient,
      mail.state,
      mail.kind,
      mail.lastError,
      mail.id,
      mail.nextAttemptAt === null ? null : new Date(mail.nextAttemptAt),
      String(mail.attempts),
    ])
    return {
      value: { data: mails.map(inSnakeCase) },
      text: table(['recipient', 'state', 'kind', 'last error', 'id', 'next attempt', 'attempts'], rows),
    }
  },
})

export const mailRetry = command({
  name: 'mail retry',
  summary: 'Retry a failed or pending mail now',
  description: 'Schedules the email; the running service sends it.',
  positionals: { id: { stored: 'mail', description: 'identifier of the email, as shown by mail list' } },
  run: async ({ positionals: { id } }) => {
    await asOperator((execute) => execute(RetryMailDocument, { input: { id } }), { opensOutbox: true }).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
      throw new CommandFailure('not_found', `there is no failed or pending mail ${id}`, [], {})
    })
    return { value: { id, retried: true }, text: `Mail ${id} is scheduled to be sent now.` }
  },
})

async function withMailer<Result>(work: (mailer: Mailer) => Promise<Result>): Promise<Result> {
  const config = readConfig(currentTerminal().settings)
  const opened = await openDatabase(config, 'command', commandLog)
  const database = openClient(opened.poolConfig)
  const mailer = await createCommandMailer(config, opened.poolConfig, database)
  try {
    return await work(mailer)
  } finally {
    await mailer.stop()
    await database.close()
    await opened.close()
  }
}

const inSnakeCase = ({ lastError, createdAt, nextAttemptAt, endedAt, ...mail }: OutboxMail) =>
  Object.assign(mail, {
    last_error: lastError,
    created_at: createdAt,
    next_attempt_at: nextAttemptAt,
    ended_at: endedAt,
  })
