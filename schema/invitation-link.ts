import { randomBytes } from 'node:crypto'
import type { Transaction } from '../prisma/client.ts'
import type { Application, Role } from '../prisma/generated/client/enums.ts'
import type { Context, Ports } from './context.ts'
import { invalid, rateLimited } from './errors.ts'
import { sha256 } from './secret.ts'

const hour = 3_600_000
const day = 24 * hour

/** At most so many invitation mails within an hour (decisions §8). */
const sendingLimits = [
  { policy: 'invitations-per-address', quota: 5, windowSeconds: 3600 },
  { policy: 'invitations-per-team', quota: 100, windowSeconds: 3600 },
] as const

/**
 * The secret of an invitation's link. It is derived from a random nonce and SECRET_KEY instead of stored, so that
 * neither the database nor the outbox holds anything that opens the invitation.
 */
export const invitationSecret = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, nonce: Uint8Array): string =>
  deriveSecret('invitation', nonce).toString('base64url')

interface Terms {
  id?: string | undefined
  teamId: string
  email: string
  role: Role
  allApplications: boolean
  applications: Application[]
  invitedById: string | null
  invitedByTokenId: string | null
}

/** Writes the invitation, new or renewed, and its mail in one transaction. An earlier link stops working. */
export async function sendLink(transaction: Transaction, context: Context, { id, ...terms }: Terms) {
  const now = context.now()
  const nonce = randomBytes(16)
  const link = {
    nonce,
    tokenHash: sha256(invitationSecret(context, nonce)),
    sentAt: now,
    expiresAt: new Date(now.getTime() + context.invitationDays * day),
  }
  const invitation =
    id === undefined
      ? await transaction.invitation.create({ data: { ...terms, ...link, createdAt: now } })
      : await transaction.invitation.update({ where: { id }, data: { ...terms, ...link } })
  await context.sendMail(transaction, { kind: 'invitation', invitationId: invitation.id, nonce: nonce.toString('base64url') })
  return invitation
}

/** Refuses an address that already belongs to a member. */
export async function refuseMember(transaction: Transaction, teamId: string, email: string): Promise<void> {
  if (await transaction.member.findFirst({ where: { teamId, user: { email } }, select: { userId: true } }))
    throw invalid({ email: ['This user already belongs to the team.'] }, 'already_member')
}

/** Refuses when the hour's mails are spent. The audit trail counts them, exactly and across processes: the team is locked. */
export async function limitSending(transaction: Transaction, context: Context, teamId: string, email: string): Promise<void> {
  const now = context.now().getTime()
  const inTeam = { teamId, action: { in: ['inviteMember', 'resendInvitation'] }, at: { gt: new Date(now - hour) } }
  for (const limit of sendingLimits) {
    const where = limit.policy === 'invitations-per-address' ? { ...inTeam, subject: email } : inTeam
    const [first] = await transaction.auditEntry.findMany({
      where,
      orderBy: { at: 'desc' },
      skip: limit.quota - 1,
      take: 1,
      select: { at: true },
    })
    if (first) throw rateLimited(limit, (first.at.getTime() + hour - now) / 1000)
  }
}
