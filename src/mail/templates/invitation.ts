import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import type { Database } from '../../../prisma/connection/database.ts'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { InvitationMail } from '../../../schema/core/mails/mails.ts'
import { accessibleIds } from '../../../schema/apps/application.ts'
import { products } from '../../../schema/core/products.ts'
import { statusAt } from '../../../schema/invitations/invitation.ts'
import { storedInvitationSecret } from '../../../schema/invitations/link.ts'
import { html } from '../html.ts'
import { invitationLink } from '../link.ts'
import type { ComposeParts, Draft, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInHtml, nameInText, nameInSubject } from '../names.ts'
import { findRecipient } from '../recipient.ts'
import { formatDateTime } from '../../web/time-format.ts'
import type { MailContent } from './mail-layout.ts'

/** The values in the text. Names are unmodified user input. */
export interface InvitationMailData {
  /** Name of the inviting user, or of the team token that invited; null if the directory of the team did. */
  inviter: string | null
  team: string
  role: Role
  /** Products that the invited user will have access to; null for all. */
  products: readonly Application[] | null
  expiresAt: Date
  link: string
  /** Settings by which the mail shows times to the recipient. */
  times?: TimeSettings | undefined
}

const roles: Record<Role, string> = {
  owner: 'an owner, who manages the team, its members and its invoices',
  member: 'a member',
  billing: 'a billing member, who sees the team’s invoices',
}

const listFormat = new Intl.ListFormat('en-GB')

/** A mail to an invited email address. It is sent while the invitation is pending and the link is the current one. */
export const invitationMail: MailDeclaration<InvitationMail> & { buildContent(data: InvitationMailData): MailContent } = {
  buildContent,
  compose,
}

function buildContent({ inviter: name, team, role, products: ids, expiresAt, link, times }: InvitationMailData): MailContent {
  const inviter = name ?? `The directory of ${team}`
  const terms = ids?.length ? `${roles[role]}, with access to ${listFormat.format(ids.map((id) => products[id].name))}` : roles[role]
  return {
    subject: `${nameInSubject(inviter)} invites you to the team ${nameInSubject(team)}`,
    paragraphs: [
      {
        text: `${nameInText(inviter)} invites you to join the team “${nameInText(team)}” as ${terms}.`,
        html: html`${nameInHtml(inviter)} invites you to join the team &#8220;${nameInHtml(team)}&#8221; as ${terms}.`,
      },
    ],
    link: { lead: 'Accept or decline the invitation here:', button: 'View invitation', address: link },
    ending: [
      `The invitation expires on ${formatDateTime(expiresAt, times)}. The link is only for you. Do not share it.`,
      'If you did not expect this invitation, you can ignore this email.',
    ],
    reason:
      name === null
        ? `the directory of ${nameInText(team)} sent your email address to invite you`
        : `${nameInText(name)} entered your email address to invite you`,
  }
}

async function compose({ database, now, deriveSecret, authUrl }: ComposeParts, { invitationId, nonce }: InvitationMail): Promise<Draft> {
  const invitation = await findInvitation(database, invitationId)
  if (!invitation) return { dropped: 'deleted' }
  const status = statusAt(invitation, now())
  if (status !== 'pending') return { dropped: status }
  if (Buffer.from(invitation.nonce).toString('base64url') !== nonce) return { dropped: 'renewed' }
  const { directoryUserId, invitedBy, invitedByToken } = invitation
  const inviter = invitedBy ?? invitedByToken
  if (!inviter) return { dropped: 'inviter deleted' }
  const secret = storedInvitationSecret({ deriveSecret }, invitation)
  if (secret === undefined) throw new Error('SECRET_KEY differs from the one that created the invitation')
  const { email, role, expiresAt, sentAt, team } = invitation
  const link = invitationLink(authUrl, secret)
  const recipient = await findRecipient(database, email)
  const content = buildContent({
    inviter: invitedBy || directoryUserId === null ? inviter.name : null,
    team: team.name,
    role,
    products: accessibleIds(invitation),
    expiresAt,
    link,
    times: recipient,
  })
  return { to: email, name: recipient.name, content, secret, messageId: messageId(authUrl, invitationId, nonce), date: sentAt }
}

const findInvitation = ({ prisma }: Database, id: string) =>
  prisma.invitation.findUnique({
    where: { id },
    include: {
      team: { select: { name: true } },
      invitedBy: { select: { name: true } },
      invitedByToken: { select: { name: true } },
    },
  })
