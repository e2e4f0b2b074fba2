import { randomUUID } from 'node:crypto'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import { payloadType } from '../../builder/payload-type.ts'
import type { Context } from '../../core/context.ts'
import { refused } from '../../core/validation.ts'
import { maxSupportHours, SupportSessionType } from './support-session.ts'
import type { SupportSessionWithOpener } from './support-session.ts'

// What the mutations for a team and for an account share.

const hourMilliseconds = 3_600_000

/** Declares the payload of a mutation of a support session. */
export const supportSessionPayload = (name: string, description: string) =>
  payloadType<{ supportSession: SupportSessionWithOpener }>(name, {
    description,
    fields: (t) => ({ supportSession: t.expose('supportSession', { type: SupportSessionType, description }) }),
  })

/** The input field with the end of a support session. */
export const untilField = {
  type: 'DateTime',
  required: true,
  description: `When the support session ends, at most ${maxSupportHours} hours from now.`,
} as const

/** Throws unless a support session can end at this time. */
export function checkUntil({ now }: Pick<Context, 'now'>, until: Date): void {
  if (until <= now() || until.getTime() > now().getTime() + maxSupportHours * hourMilliseconds)
    throw refused({ until: [`The :attribute field must be a time within the next ${maxSupportHours} hours.`] })
}

/** Ends the support session that has not ended, and returns when it would have expired. One that expired ends at that time. */
const endPrevious = statement<{ expiresAt: string }, [teamId: string | null, userId: string | null, now: Date]>(
  'end_previous_support_session',
  `UPDATE support_sessions SET ended_at = least(expires_at, $3) WHERE (team_id = $1::uuid OR user_id = $2::uuid) AND ended_at IS NULL
   RETURNING expires_at AS "expiresAt"`,
)

/**
 * Opens the support session of a team or of an account, which the transaction has locked, and ends the one before it. Returns the result of
 * the mutation with the values of its audit entry.
 */
export async function openSession(
  transaction: Transaction,
  context: Context,
  owner: Pick<SupportSessionWithOpener, 'teamId' | 'userId'>,
  openedBy: { id: string; name: string },
  until: Date,
) {
  const now = context.now()
  const [previous] = await endPrevious(transaction, owner.teamId, owner.userId, now)
  const row = { id: randomUUID(), ...owner, openedById: openedBy.id, openedAt: now, expiresAt: until, endedAt: null }
  transaction.defer(insertRow(transaction, 'support_sessions', row))
  const replaced = previous && new Date(previous.expiresAt) > now ? { before: { expiresAt: previous.expiresAt } } : {}
  const supportSession = { ...row, openedBy: { id: openedBy.id, name: openedBy.name } }
  return { result: { supportSession }, ...replaced, after: { expiresAt: until.toISOString() }, isUnchanged: false }
}
