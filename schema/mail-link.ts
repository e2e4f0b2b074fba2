import { randomBytes, randomUUID } from 'node:crypto'
import type { Transaction } from '../prisma/client.ts'
import type { MailLink, User } from '../prisma/generated/client/client.ts'
import type { MailLinkKind } from '../prisma/generated/client/enums.ts'
import { lockEnabledAccount, nobody } from './account-lock.ts'
import type { Context, LinkMail, Ports } from './context.ts'
import { invalid, rateLimited } from './errors.ts'
import { sha256 } from './secret.ts'

const hour = 3_600_000

/** For how long a link works: who wants a new password is at it, while an address may be verified tomorrow. */
const lifetime: Record<MailLinkKind, number> = { verify_email: 24 * hour, change_email: 24 * hour, reset_password: hour }

/**
 * So many links of a kind are sent to a person within an hour. The person in their own session is told when they are
 * spent; to anybody else no answer ever differs, and further mails are silently not sent.
 */
const sendingLimit = { policy: 'mail-links', quota: 5, windowSeconds: hour / 1000 }

/**
 * The secret of a mail's link. As that of an invitation it is derived, from a random nonce and SECRET_KEY: neither the
 * database nor the outbox holds anything that opens it.
 */
export const mailLinkSecret = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, nonce: Uint8Array): string =>
  deriveSecret('mail link', nonce).toString('base64url')

interface NewLink {
  kind: MailLinkKind
  mail: LinkMail['kind']
  /** Locked. Null: there is nobody to write to, and all is done as if there were, so that it takes as long. */
  user: Pick<User, 'id'> | null
  /** Where it goes. */
  email: string
}

/**
 * Makes a link and puts its mail in the outbox. An earlier link of the kind stops working. Throws `rate_limited` to the
 * person themselves once the hour's mails are spent.
 */
export async function sendMailLink(transaction: Transaction, context: Context, { kind, mail, user, email }: NewLink): Promise<void> {
  const now = context.now()
  const since = new Date(now.getTime() - hour)
  const [first] = await transaction.mailLink.findMany({
    where: { userId: user?.id ?? nobody, kind, createdAt: { gt: since } },
    orderBy: { createdAt: 'desc' },
    skip: sendingLimit.quota - 1,
    take: 1,
    select: { createdAt: true },
  })
  // Not by the session alone: somebody signed in may ask for the password of another's address.
  if (first && isThemselves(context, user)) throw rateLimited(sendingLimit, (first.createdAt.getTime() + hour - now.getTime()) / 1000)
  const userId = user && !first ? user.id : nobody
  await endLinks(transaction, context, userId, kind)
  const [id, nonce] = [randomUUID(), randomBytes(16)]
  const expiresAt = new Date(now.getTime() + lifetime[kind])
  await transaction.$executeRaw`
    INSERT INTO mail_links (id, kind, user_id, email, token_hash, nonce, created_at, expires_at)
    SELECT ${id}::uuid, ${kind}::"MailLinkKind", id, ${email}, ${sha256(mailLinkSecret(context, nonce))}, ${nonce}, ${now}::timestamptz, ${expiresAt}::timestamptz
    FROM users WHERE id = ${userId}::uuid`
  await context.sendMail(transaction, { kind: mail, linkId: id })
}

const isThemselves = ({ principal }: Context, user: NewLink['user']): boolean =>
  principal?.kind === 'user' && principal.user.id === user?.id

/** Ends a person's links, of these kinds or of all: what they were for has happened, or is no longer theirs to do. */
export async function endLinks(transaction: Transaction, context: Context, userId: string, ...kinds: MailLinkKind[]): Promise<void> {
  const now = context.now()
  const where = { userId, ...(kinds.length > 0 && { kind: { in: kinds } }), usedAt: null, expiresAt: { gt: now } }
  await transaction.mailLink.updateMany({ where, data: { expiresAt: now } })
}

/** The link of this secret; null where there never was one. `isLive`: it can be used now. */
export async function findMailLink(prisma: Transaction, now: Date, secret: string) {
  const link = await prisma.mailLink.findUnique({ where: { tokenHash: sha256(secret) }, include: { user: true } })
  if (!link) return null
  const isSent = link.kind === 'change_email' || link.email === link.user.email
  return { ...link, isLive: isSent && link.usedAt === null && link.expiresAt > now && link.user.disabledAt === null }
}

/**
 * Uses a link up, once, ever, also when two come at once; answers its person, locked. One that is used, replaced, too old
 * or never was is refused as such: whoever has it knows it anyway. `askingId`: the person in whose session it is used;
 * to read the mails of an address is not to have made the account that goes by it.
 */
export async function takeMailLink(
  transaction: Transaction,
  context: Context,
  kind: MailLinkKind,
  secret: string,
  askingId?: string,
): Promise<{ link: MailLink; user: User }> {
  const found = await findMailLink(transaction, context.now(), secret)
  if (found?.kind !== kind) throw ended()
  // The person before the link, as whoever makes one does: two that wait for each other would be a fault.
  const user = await lockEnabledAccount(transaction, { id: found.userId })
  const link = await findMailLink(transaction, context.now(), secret)
  if (!user || !link?.isLive) throw ended()
  if (askingId !== undefined && askingId !== user.id) throw anothers()
  await transaction.mailLink.update({ where: { id: link.id }, data: { usedAt: context.now() } })
  return { link, user }
}

const anothers = () => invalid({ token: ['The link is of another account. Sign in to the one it was made for.'] })
const ended = () => invalid({ token: ['The link was used, is too old, or a newer one was sent. Ask for a new one.'] })
