import type { Database } from '../../prisma/client.ts'
import type { InvitationMail } from '../../schema/context.ts'
import { invitationSecret } from '../../schema/invitation-link.ts'
import { statusAt } from '../../schema/invitation.ts'
import { sha256 } from '../../schema/secret.ts'
import type { Composed, ComposeParts } from './composed.ts'
import { invitationMail } from './invitation.ts'
import { invitationLink } from './link.ts'
import { messageId } from './message-id.ts'

/** The mail of an invitation that is still pending, and of the link that is valid now. */
export async function composeInvitation(
  { database, now, deriveSecret, authUrl }: ComposeParts,
  { invitationId, nonce }: InvitationMail,
): Promise<Composed> {
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
  return { secret, message: { to: email, ...words, messageId: messageId(authUrl, invitationId, nonce), date: sentAt } }
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
