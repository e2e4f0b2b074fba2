import type { Database } from '../../prisma/client.ts'
import type { InvitationMail, Ports } from '../../schema/context.ts'
import { invitationSecret } from '../../schema/invitation-link.ts'
import { statusAt } from '../../schema/invitation.ts'
import { sha256 } from '../../schema/secret.ts'
import { invitationMail } from './invitation.ts'
import { invitationLink } from './link.ts'
import type { Message } from './message.ts'

/** What a mail in the outbox has become: a message with the secret in it, or the reason why nothing is to be sent. */
type Composed = { message: Message; secret: string } | { dropped: string }

export type Compose = (mail: InvitationMail) => Promise<Composed>

export interface ComposeParts extends Pick<Ports, 'database' | 'now' | 'deriveSecret'> {
  authUrl: string
}

/**
 * Reads what the mail is about at the moment it leaves. The outbox holds no secret, it is derived here; and what is
 * stale, since the invitation was renewed, answered or revoked or has expired, is dropped: it would be a dead link.
 */
export function createCompose({ database, now, deriveSecret, authUrl }: ComposeParts): Compose {
  return async ({ invitationId, nonce }) => {
    const invitation = await findInvitation(database, invitationId)
    if (!invitation) return { dropped: 'deleted' }
    const status = statusAt(invitation, now())
    if (status !== 'pending') return { dropped: status }
    if (Buffer.from(invitation.nonce).toString('base64url') !== nonce) return { dropped: 'renewed' }
    const inviter = invitation.invitedBy ?? invitation.invitedByToken
    if (!inviter) return { dropped: 'inviter deleted' }
    const secret = invitationSecret({ deriveSecret }, invitation.nonce)
    if (!sha256(secret).equals(invitation.tokenHash)) throw new Error('SECRET_KEY is not the one under which the invitation was made')
    const { email, role, expiresAt, sentAt, team } = invitation
    const link = invitationLink(authUrl, secret)
    const words = invitationMail({ inviter: inviter.name, team: team.name, role, expiresAt, timezone: team.timezone, link })
    return { secret, message: { to: email, ...words, messageId: messageId(invitationId, nonce, authUrl), date: sentAt } }
  }
}

const findInvitation = ({ prisma }: Database, id: string) =>
  prisma.invitation.findUnique({
    where: { id },
    include: {
      team: { select: { name: true, timezone: true } },
      invitedBy: { select: { name: true } },
      invitedByToken: { select: { name: true } },
    },
  })

const messageId = (invitationId: string, nonce: string, authUrl: string) =>
  `${sha256(`${invitationId}.${nonce}`).toString('hex').slice(0, 40)}@${new URL(authUrl).hostname.replace(/^\[(.*)\]$/, '$1')}`
