import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import type { Database } from '../../../prisma/connection/database.ts'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { InvitationMail } from '../../../schema/core/mails/mails.ts'
import { accessibleIds } from '../../../schema/apps/application.ts'
import { products } from '../../../schema/core/products.ts'
import { statusAt } from '../../../schema/invitations/invitation.ts'
import { storedInvitationSecret } from '../../../schema/invitations/link.ts'
import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { invitationLink } from '../link.ts'
import type { ComposeParts, Draft, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInHtml, nameInText, nameInSubject } from '../names.ts'
import { findRecipient } from '../recipient.ts'
import { formatDateTime } from '../../web/time-format.ts'
import type { MailContent } from './mail-layout.ts'

/** The values in the text. Names are unmodified user input. */
export interface InvitationMailData {
  /** The user who invited, or what did so for the team: its directory, or one of its tokens, apps and workload identities. */
  inviter: { name: string } | 'directory' | 'machine'
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

function buildContent({ inviter, team, role, products: ids, expiresAt, link, times }: InvitationMailData): MailContent {
  const terms = ids?.length ? `${roles[role]}, with access to ${listFormat.format(ids.map((id) => products[id].name))}` : roles[role]
  return {
    subject: `${formatOpening(inviter, team, nameInSubject)} to the team ${nameInSubject(team)}`,
    paragraphs: [
      {
        text: `${formatOpening(inviter, team, nameInText)} to join the team “${nameInText(team)}” as ${terms}.`,
        html: html`${formatOpeningAsHtml(inviter, team)} to join the team &#8220;${nameInHtml(team)}&#8221; as ${terms}.`,
      },
    ],
    link: { lead: 'Accept or decline the invitation here:', button: 'View invitation', address: link },
    ending: [
      `The invitation expires on ${formatDateTime(expiresAt, times)}. The link is only for you. Do not share it.`,
      'If you did not expect this invitation, you can ignore this email.',
    ],
    reason: formatReason(inviter, team),
  }
}

type Inviter = InvitationMailData['inviter']

/** Returns the first words of the sentence. A token or an app has no name in it, because readers would take the name for a person. */
function formatOpening(inviter: Inviter, team: string, format: (name: string) => string): string {
  if (inviter === 'machine') return 'You are invited'
  return `${format(inviter === 'directory' ? `The directory of ${team}` : inviter.name)} invites you`
}

const formatOpeningAsHtml = (inviter: Inviter, team: string): Html =>
  inviter === 'machine'
    ? html`You are invited`
    : html`${nameInHtml(inviter === 'directory' ? `The directory of ${team}` : inviter.name)} invites you`

function formatReason(inviter: Inviter, team: string): string {
  if (inviter === 'machine') return `the team ${nameInText(team)} entered your email address to invite you`
  if (inviter === 'directory') return `the directory of ${nameInText(team)} sent your email address to invite you`
  return `${nameInText(inviter.name)} entered your email address to invite you`
}

async function compose({ database, now, deriveSecret, authUrl }: ComposeParts, { invitationId, nonce }: InvitationMail): Promise<Draft> {
  const invitation = await findInvitation(database, invitationId)
  if (!invitation) return { dropped: 'deleted' }
  const status = statusAt(invitation, now())
  if (status !== 'pending') return { dropped: status }
  if (Buffer.from(invitation.nonce).toString('base64url') !== nonce) return { dropped: 'renewed' }
  const { directoryUserId, invitedBy, invitedByTokenId, invitedByMachineId } = invitation
  if (!invitedBy && invitedByTokenId === null && invitedByMachineId === null) return { dropped: 'inviter deleted' }
  const secret = storedInvitationSecret({ deriveSecret }, invitation)
  if (secret === undefined) throw new Error('SECRET_KEY differs from the one that created the invitation')
  const { email, role, expiresAt, sentAt, team } = invitation
  const link = invitationLink(authUrl, secret)
  const recipient = await findRecipient(database, email)
  const content = buildContent({
    inviter: invitedBy ?? (directoryUserId === null ? 'machine' : 'directory'),
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
    },
  })
