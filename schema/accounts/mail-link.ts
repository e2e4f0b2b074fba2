import { randomBytes, randomUUID } from 'node:crypto'
import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import type { User } from '../../prisma/generated/client/client.ts'
import type { MailLinkKind } from '../../prisma/generated/client/enums.ts'
import { lockEnabledAccount, unknownAccountId } from '../core/database/locks.ts'
import type { Context } from '../core/context.ts'
import type { Ports } from '../core/ports.ts'
import type { LinkMail } from '../core/mails/mails.ts'
import { invalid, rateLimited } from '../core/errors.ts'
import type { RateLimit } from '../core/errors.ts'
import { secretWithHash, sha256 } from '../core/sha256.ts'
import type { PasswordOwner } from './passwords/password.ts'

const hour = 3_600_000

/** Lifetime of a link. A password reset is used at once, while an address may be verified the next day. */
const lifetime: Record<MailLinkKind, number> = {
  verify_email: 24 * hour,
  change_email: 24 * hour,
  reset_password: hour,
  prove_account: hour,
  sign_in: hour / 6,
}

/**
 * Limits of the links of each kind for one account. Beyond a limit the user's own session receives `rate_limited`. For other callers the
 * response never differs, and no mail is sent. The daily limit applies only to an email address that the user chooses, which may belong to
 * another person. For other links, an attacker could use it up and keep the user from getting one until the next day.
 */
const hourly: RateLimit = { policy: 'mail-links', quota: 5, windowSeconds: hour / 1000 }
const sendingLimits: Record<MailLinkKind, readonly RateLimit[]> = {
  verify_email: [hourly],
  change_email: [hourly, { policy: 'email-changes', quota: 10, windowSeconds: (24 * hour) / 1000 }],
  reset_password: [hourly],
  prove_account: [hourly],
  sign_in: [hourly],
}

/**
 * Derives the secret of a link from its random nonce and SECRET_KEY, as for invitations: neither the database nor the outbox stores a
 * secret that works.
 */
export const mailLinkSecret = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, nonce: Uint8Array): string =>
  deriveSecret('mail link', nonce).toString('base64url')

/** Returns the secret of a stored link; undefined if another SECRET_KEY created it. */
export const storedMailLinkSecret = (
  { deriveSecret }: Pick<Ports, 'deriveSecret'>,
  { nonce, tokenHash }: { nonce: Uint8Array; tokenHash: Uint8Array },
): string | undefined => secretWithHash(deriveSecret.accepted('mail link', nonce), tokenHash)

interface NewLink {
  kind: MailLinkKind
  mail: LinkMail['kind']
  /** The locked account. If it is null, the same statements run, so that the response takes as long. */
  user: Pick<User, 'id'> | null
  /** The recipient. */
  email: string
}

const nthLatestLink = statement<{ createdAt: string }, [userId: string, kind: MailLinkKind, since: Date, offset: number]>(
  'nth_latest_mail_link',
  `SELECT created_at AS "createdAt" FROM mail_links WHERE user_id = $1 AND kind = $2 AND created_at > $3
   ORDER BY created_at DESC OFFSET $4 LIMIT 1`,
)

// The statement selects from `users`, so that it is the same for an account that does not exist.
const insertLink = statement<object, unknown[]>(
  'insert_mail_link',
  `INSERT INTO mail_links (id, kind, user_id, email, token_hash, nonce, created_at, expires_at)
   SELECT $1, $2, id, $4, $5, $6, $7, $8 FROM users WHERE id = $3`,
)

const endUserLinks = statement<object, [userId: string, kinds: MailLinkKind[] | null, now: Date]>(
  'end_mail_links',
  `UPDATE mail_links SET expires_at = $3
   WHERE user_id = $1 AND ($2::"MailLinkKind"[] IS NULL OR kind = ANY ($2)) AND used_at IS NULL AND expires_at > $3`,
)

export interface SentLink {
  /** Identifier of the link. Also set if no link was created, so that a caller cannot distinguish the two. */
  linkId: string
  /** False for an unknown account and beyond the limit. The caller then discards the change, with the mail that was queued. */
  isSent: boolean
}

/**
 * Creates a link and adds its mail to the outbox. The previous link of the kind stops working, except for a code, which is bound to the
 * browser that requested it: someone else who requests a code must not end the user's code. Throws `rate_limited` to the account's own user
 * beyond a limit.
 */
export async function sendMailLink(transaction: Transaction, context: Context, { kind, mail, user, email }: NewLink): Promise<SentLink> {
  const now = context.now()
  const reached = await Promise.all(
    sendingLimits[kind].map(async (limit) => {
      const milliseconds = limit.windowSeconds * 1000
      const since = new Date(now.getTime() - milliseconds)
      const [oldest] = await nthLatestLink(transaction, user?.id ?? unknownAccountId, kind, since, limit.quota - 1)
      return oldest ? [{ limit, end: Date.parse(oldest.createdAt) + milliseconds }] : []
    }),
  )
  const [last] = reached.flat().toSorted((one, other) => other.end - one.end)
  // The user is compared, because a session may also request a password reset for the address of another account.
  if (last && isOwnAccount(context, user)) throw rateLimited(last.limit, (last.end - now.getTime()) / 1000)
  const userId = user && !last ? user.id : unknownAccountId
  if (kind !== 'sign_in') endLinks(transaction, context, userId, kind)
  const [linkId, nonce] = [randomUUID(), randomBytes(16)]
  const expiresAt = new Date(now.getTime() + lifetime[kind])
  transaction.defer(insertLink(transaction, linkId, kind, userId, email, sha256(mailLinkSecret(context, nonce)), nonce, now, expiresAt))
  await context.sendMail(transaction, { kind: mail, linkId })
  return { linkId, isSent: userId !== unknownAccountId }
}

const isOwnAccount = ({ principal }: Context, user: NewLink['user']): boolean =>
  principal?.kind === 'user' && principal.user.id === user?.id

/** Ends the unused links of an account, of these kinds or of all kinds. */
export function endLinks(transaction: Transaction, context: Context, userId: string, ...kinds: MailLinkKind[]): void {
  transaction.defer(endUserLinks(transaction, userId, kinds.length > 0 ? kinds : null, context.now()))
}

/** A mailed link and the account that it belongs to. */
export interface MailLink {
  id: string
  kind: MailLinkKind
  userId: string
  email: string
  user: PasswordOwner
  /** True if the link can be used now. */
  isLive: boolean
}

const selectMailLink = statement<MailLink, [tokenHash: Buffer, now: Date]>(
  'mail_link',
  `SELECT l.id, l.kind, l.user_id AS "userId", l.email, json_build_object('name', u.name, 'email', u.email) AS "user",
     (l.kind = 'change_email' OR l.email = u.email) AND l.used_at IS NULL AND l.expires_at > $2 AND u.disabled_at IS NULL AS "isLive"
   FROM mail_links l JOIN users u ON u.id = l.user_id WHERE l.token_hash = $1`,
)

/** Finds the link with a secret; null if there never was one. */
export async function findMailLink(executor: Executor, now: Date, secret: string): Promise<MailLink | null> {
  const [link] = await selectMailLink(executor, sha256(secret), now)
  return link ?? null
}

/**
 * Uses a link, which is possible once, also for parallel requests. Returns its account, locked. Throws `validation_failed` for a link that
 * was used, replaced, expired or never existed. `callerId` is the user in whose session the link is used. Reading the mails of an address
 * does not prove ownership of the account that was created with it.
 */
export async function takeMailLink(
  transaction: Transaction,
  context: Context,
  kind: MailLinkKind,
  secret: string,
  callerId?: string,
): Promise<{ link: MailLink; user: User }> {
  const tokenHash = sha256(secret)
  // The account is locked before the link, in the order of sendMailLink, to avoid a deadlock. A separate statement reads the link after the
  // lock, so that it sees the changes that the lock waited for.
  const userAndLink = Promise.all([
    lockEnabledAccount(transaction, { linkHash: tokenHash }),
    findMailLink(transaction, context.now(), secret),
  ])
  // The update is sent together with the statements above; a refusal rolls it back.
  transaction.defer(updateRows(transaction, 'mail_links', { tokenHash }, { usedAt: context.now() }))
  const [user, link] = await userAndLink
  if (!user || link?.kind !== kind || !link.isLive) throw linkEnded()
  if (callerId !== undefined && callerId !== user.id) throw linkOfOtherAccount()
  return { link, user }
}

const linkOfOtherAccount = () => invalid({ token: ['This link belongs to another account. Sign in to that account.'] })
/** Returns the error for a link that cannot be used. */
export const linkEnded = () =>
  invalid({ token: ['This link was already used, has expired, or was replaced by a newer one. Request a new link.'] })
