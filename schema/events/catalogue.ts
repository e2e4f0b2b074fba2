import { readWebhooks, seeTeamAccess } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { requires as readInvoices } from '../invoices/invoice.ts'
import { requiresInviting } from '../invitations/invitation.ts'
import { readMembers } from '../members/member.ts'
import { readTeam } from '../teams/team.ts'
import { seeTeamTokens } from '../tokens/rules.ts'
import type { EventSubject } from './event-data.ts'

/** To read the events of a team. Each type also needs the requirement of what it is about. */
export const readEvents: Requirement = { scopes: ['acct:team:events:read'] }

interface EventDeclaration {
  subject: EventSubject
  /** When it happens, as a sentence. */
  about: string
}

/** The types of events (docs/decisions/events.md). The feed, its filter, GraphQL's enum and OpenAPI are derived from these rows. */
export const eventTypes = {
  'team.updated': { subject: 'team', about: 'A setting of the team was changed.' },
  'team.deleted': { subject: 'team', about: 'The team was deleted, and its pending invitations were revoked.' },
  'team.restored': { subject: 'team', about: 'The team was restored after its deletion.' },
  'member.joined': { subject: 'member', about: 'A user became a member.' },
  'member.updated': { subject: 'member', about: 'The role of a member, or the products that they may use, were changed.' },
  'member.removed': {
    subject: 'member',
    about: 'A member left, was removed, or deleted their account; the apps that they connected lose access to the team.',
  },
  'invitation.created': { subject: 'invitation', about: 'Someone was invited, or their invitation was renewed.' },
  'invitation.accepted': { subject: 'invitation', about: 'An invitation was accepted.' },
  'invitation.declined': { subject: 'invitation', about: 'An invitation was declined.' },
  'invitation.expired': { subject: 'invitation', about: 'An invitation was not answered in time.' },
  'invitation.revoked': { subject: 'invitation', about: 'An invitation was revoked.' },
  'token.created': { subject: 'token', about: 'A team token was created.' },
  'token.rotated': { subject: 'token', about: 'A team token got a new value.' },
  'token.revoked': { subject: 'token', about: 'A team token was revoked.' },
  'token.expires_soon': { subject: 'token', about: 'A team token expires in 7 days, or in 1 day.' },
  'grant.created': { subject: 'grant', about: 'A member connected an app to the team.' },
  'grant.changed': { subject: 'grant', about: 'The scopes of a connected app changed.' },
  'grant.revoked': { subject: 'grant', about: 'The access of a connected app to the team was revoked, or the app was deleted.' },
  'invoice.issued': { subject: 'invoice', about: 'The team got a new invoice.' },
  'invoice.updated': { subject: 'invoice', about: 'An invoice was changed, other than by being paid.' },
  'invoice.paid': { subject: 'invoice', about: 'An invoice was paid in full.' },
  'invoice.overdue': { subject: 'invoice', about: 'The due date of an open invoice passed, in UTC.' },
  'webhook.disabled': {
    subject: 'webhook',
    about: 'A webhook was disabled because its endpoint failed for three days, or answered 410 Gone.',
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>

export type EventType = keyof typeof eventTypes

export const isEventType = (name: string): name is EventType => Object.hasOwn(eventTypes, name)
export const eventTypeNames = Object.keys(eventTypes).filter(isEventType)

/** What a caller must meet, besides `readEvents`, to read events about a kind of object. */
export const requirementsOfSubjects: Readonly<Record<EventSubject, Requirement>> = {
  team: readTeam,
  member: readMembers,
  invitation: requiresInviting,
  token: seeTeamTokens,
  grant: seeTeamAccess,
  invoice: readInvoices,
  webhook: readWebhooks,
}

/** An event that an audit entry is: its type, and how its data is read (schema/events/find-events.ts) if not as its subject says. */
interface EventOfAction {
  type: EventType
  source?: EventSource
}

/** The ways to read the data of events. */
export type EventSource = EventSubject | 'acceptedInvitation' | 'formerOwner'

/**
 * The events that an entry of an audited action is. Their place in the list is part of their identifier, so that new ones go to
 * its end. An action that is none says why.
 */
export const eventsOfActions: Readonly<Record<string, readonly EventOfAction[] | string>> = {
  createTeam: 'Nobody could read the feed of the team before.',
  updateTeam: [{ type: 'team.updated' }],
  setTwoFactorRequirement: [{ type: 'team.updated' }],
  remindOfTwoFactor: 'Nothing changes.',
  deleteTeam: [{ type: 'team.deleted' }],
  restoreTeam: [{ type: 'team.restored' }],
  addMember: [{ type: 'member.joined' }],
  updateMember: [{ type: 'member.updated' }],
  transferOwnership: [{ type: 'member.updated' }, { type: 'member.updated', source: 'formerOwner' }],
  removeMember: [{ type: 'member.removed' }],
  leaveTeam: [{ type: 'member.removed' }],
  removeDeletedUser: [{ type: 'member.removed' }],
  inviteMember: [{ type: 'invitation.created' }],
  resendInvitation: 'The invitation stays the same, with another link.',
  acceptInvitation: [{ type: 'invitation.accepted', source: 'acceptedInvitation' }, { type: 'member.joined' }],
  declineInvitation: [{ type: 'invitation.declined' }],
  revokeInvitation: [{ type: 'invitation.revoked' }],
  createTeamToken: [{ type: 'token.created' }],
  rotateToken: [{ type: 'token.rotated' }],
  updateToken: 'Only its name in lists changes.',
  revokeToken: [{ type: 'token.revoked' }],
  revokeTokenTeamAccess: 'It concerns a personal token, which is no token of the team.',
  reduceGrantScopes: [{ type: 'grant.changed' }],
  revokeGrant: [{ type: 'grant.revoked' }],
  revokeGrantTeamAccess: [{ type: 'grant.revoked' }],
  exportAuditLog: 'Nothing changes.',
  readAsStaff: 'Nothing changes.',
  createGrant: [{ type: 'grant.created' }],
  extendGrant: [{ type: 'grant.changed' }],
  expireInvitation: [{ type: 'invitation.expired' }],
  announceTokenExpiry: [{ type: 'token.expires_soon' }],
  issueInvoice: [{ type: 'invoice.issued' }],
  issuePaidInvoice: [{ type: 'invoice.issued' }, { type: 'invoice.paid' }],
  updateInvoice: [{ type: 'invoice.updated' }],
  payInvoice: [{ type: 'invoice.paid' }],
  announceOverdueInvoice: [{ type: 'invoice.overdue' }],
  disableWebhook: [{ type: 'webhook.disabled' }],
  createWebhook: 'It is the setting of a receiver of events.',
  updateWebhook: 'It is the setting of a receiver of events.',
  deleteWebhook: 'It is the setting of a receiver of events.',
  rotateWebhookSecret: 'It is the setting of a receiver of events.',
  sendTestEvent: 'Nothing changes.',
  redeliver: 'Nothing changes.',
  replayEvents: 'Nothing changes.',
}

/** An event of an action, with its place among those of the action. */
export interface EventPart extends Required<EventOfAction> {
  action: string
  part: number
}

/** All events of all actions. */
export const eventParts: readonly EventPart[] = Object.entries(eventsOfActions).flatMap(([action, events]) =>
  typeof events === 'string' ? [] : events.map(({ type, source = eventTypes[type].subject }, part) => ({ action, part, type, source })),
)
