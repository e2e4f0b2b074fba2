import { randomBytes } from 'node:crypto'
import { statement } from '../../../prisma/statement/statement.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import type { TrustingSignIn } from '../../core/audit/actions.ts'
import { requireBrowser } from '../../core/attempts/count-attempt.ts'
import { trustHash } from '../../core/browser-session.ts'
import type { PendingSignIn } from '../../core/browser-session.ts'
import type { Context } from '../../core/context.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { sha256 } from '../../core/sha256.ts'
import { lockSecondFactor } from '../second-factor/methods.ts'
import { describeDevice } from '../sessions/user-agent.ts'

// A sign-in in a trusted browser does not require the second factor. The browser stores a random value, the database its hash. Triggers
// delete the rows when the password or second factor changes: docs/decisions/accounts.md#trusted-devices.

const days = 30

const recordTrustedSignIn = statement<{ id: string }, [hash: Buffer, userId: string, now: Date, address: string, userAgent: string]>(
  'record_trusted_sign_in',
  `UPDATE trusted_devices SET last_used_at = $3, address = $4, user_agent = $5
   WHERE hash = $1 AND user_id = $2 AND expires_at > $3 RETURNING id`,
)

/** Returns true if the user trusts this browser, so that the password suffices. Records the sign-in. */
export async function isTrusted(context: Context, userId: string): Promise<boolean> {
  const hash = trustHash(context, userId)
  if (!hash) return false
  const { address, userAgent } = requireBrowser(context)
  const [device] = await recordTrustedSignIn(context.database.pool, hash, userId, context.now(), address, userAgent)
  return device !== undefined
}

/** Trusts the browser in which the user just entered the second factor, in place of an earlier trust. Notifies the user. */
export async function trustBrowser(context: Context, action: TrustingSignIn, { userId, passwordDigest }: PendingSignIn) {
  const browser = requireBrowser(context)
  const { address, userAgent } = browser
  const value = randomBytes(32).toString('base64url')
  const createdAt = context.now()
  const expiresAt = new Date(createdAt.getTime() + days * 86_400_000)
  await inTransaction(context.database, async (transaction) => {
    const locked = await lockSecondFactor(transaction, { id: userId })
    // In this case, the password or the second factor has changed since it was entered.
    if (!locked || locked.methods.length === 0 || calculateDigest(locked.user) !== passwordDigest) return
    const earlier = trustHash(context, userId)
    if (earlier) endTrust(transaction, userId, earlier)
    const row = { userId, hash: sha256(value), createdAt, lastUsedAt: createdAt, expiresAt, address, userAgent }
    transaction.defer(insertRow(transaction, 'trusted_devices', row))
    const after = { trustedDevice: describeDevice(userAgent), expiresAt: expiresAt.toISOString() }
    writeAuditEntry(transaction, context, action, { subject: userId, after })
    await sendNotice(transaction, { ...context, principal: null }, locked.user, 'device-trusted', { until: expiresAt.toISOString() })
  })
  browser.saveTrust(userId, value)
}

const calculateDigest = ({ passwordHash }: { passwordHash: string | null }) => passwordHash && sha256(passwordHash).toString('hex')

const deleteByHash = statement<object, [userId: string, hash: Buffer]>(
  'end_trust',
  'DELETE FROM trusted_devices WHERE user_id = $1 AND hash = $2',
)
const endTrust = (transaction: Transaction, userId: string, hash: Buffer) => transaction.defer(deleteByHash(transaction, userId, hash))
