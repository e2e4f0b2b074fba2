import { openClient } from '../../prisma/client.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { MailRecord, MailState } from '../mail/records.ts'
import { command, UsageError } from './command.ts'
import { commandLog } from './context.ts'
import { commandOutbox } from './outbox.ts'
import { CommandFailure, table } from './output.ts'

const states = ['pending', 'failed', 'sent'] as const satisfies MailState[]
const most = 10_000

export const mailList = command({
  name: 'mail list',
  about: 'Lists the mails of the outbox, newest first: those that wait, failed for good, or were sent in the last two weeks.',
  options: {
    state: { value: 'STATE', about: `only those that are ${states.join(', ')}` },
    limit: { value: 'N', about: `at most so many, 100 unless told, up to ${most}` },
  },
  run: async ({ options }) => {
    const state = states.find((each) => each === options.state)
    if (options.state !== undefined && state === undefined)
      throw new UsageError(`--state must be one of ${states.join(', ')}; it is ${options.state}`)
    const limit = /^\d{1,5}$/.test(options.limit ?? '100') ? Number(options.limit ?? 100) : 0
    if (limit < 1 || limit > most) throw new UsageError(`--limit must be a number from 1 to ${most}; it is ${options.limit}`)
    const mails = await withOutbox((outbox) => outbox.list(state, limit))
    const rows = mails.map((mail) => [
      mail.id,
      mail.kind,
      mail.recipient,
      mail.state,
      String(mail.attempts),
      mail.nextAttemptAt,
      mail.lastError,
    ])
    return {
      value: { data: mails.map(inSnakeCase) },
      text: table(['id', 'kind', 'recipient', 'state', 'attempts', 'next attempt', 'last error'], rows),
    }
  },
})

export const mailRetry = command({
  name: 'mail retry',
  about: 'Has a mail that failed, or waits for its next attempt, tried now; the service sends it.',
  positionals: { id: { about: 'identifier of the mail, as mail list shows it' } },
  run: async ({ positionals: { id } }) => {
    const isThere = await withOutbox((outbox) => outbox.retry(id))
    if (!isThere) throw new CommandFailure('not_found', 'There is no mail with this identifier that could be tried.', [], {})
    return { value: { id, retried: true }, text: `Mail ${id} will be tried now.` }
  },
})

async function withOutbox<Result>(work: (outbox: Outbox) => Promise<Result>): Promise<Result> {
  const config = readConfig()
  const opened = await openDatabase(config, 'command', commandLog)
  const database = openClient(opened.poolConfig)
  const outbox = await commandOutbox(config, opened.poolConfig, database)
  try {
    return await work(outbox)
  } finally {
    await outbox.stop()
    await database.close()
    await opened.close()
  }
}

const inSnakeCase = ({ lastError, createdAt, nextAttemptAt, endedAt, ...mail }: MailRecord) =>
  Object.assign(mail, {
    last_error: lastError,
    created_at: toMilliseconds(createdAt),
    next_attempt_at: toMilliseconds(nextAttemptAt),
    ended_at: toMilliseconds(endedAt),
  })

/** pg-boss keeps instants to the microsecond. */
const toMilliseconds = (instant: string | null) => (instant === null ? null : new Date(instant).toISOString())
