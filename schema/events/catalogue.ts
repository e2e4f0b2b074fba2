import { readWebhooks, seeTeamAccess } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { requires as readInvoices } from '../invoices/invoice.ts'
import { requiresInviting } from '../invitations/invitation.ts'
import { readMembers } from '../members/member.ts'
import { readTeam } from '../teams/team.ts'
import { seeTeamTokens } from '../tokens/rules.ts'
import type { EventSubject } from './event-data.ts'
import { eventTypes } from './event-types.ts'
import type { EventType } from './event-types.ts'

/** To read the events of a team. Each type also needs the requirement of what it is about. */
export const readEvents: Requirement = { scopes: ['acct:team:events:read'] }

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

/** An event that an audit entry is: its type, and how its data is read (schema/events/stream.ts) if not as its subject says. */
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
  remindOfRequiredSignIn: 'Nothing changes.',
  deleteTeam: [{ type: 'team.deleted' }],
  restoreTeam: [{ type: 'team.restored' }],
  addMember: [{ type: 'member.joined' }],
  joinThroughProvider: [{ type: 'member.joined' }],
  provisionMember: [{ type: 'member.joined' }],
  applyGroups: [{ type: 'member.updated' }],
  removeByGroups: [{ type: 'member.removed' }],
  deprovisionMember: [{ type: 'member.removed' }],
  setGroupRoles: 'It is a setting. What it changes of members has events.',
  createScimGroup: 'What it changes of members has events.',
  updateScimGroup: 'What it changes of members has events.',
  deleteScimGroup: 'What it changes of members has events.',
  updateMember: [{ type: 'member.updated' }],
  transferOwnership: [{ type: 'member.updated' }, { type: 'member.updated', source: 'formerOwner' }],
  removeMember: [{ type: 'member.removed' }],
  leaveTeam: [{ type: 'member.removed' }],
  removeDeletedUser: [{ type: 'member.removed' }],
  inviteMember: [{ type: 'invitation.created' }],
  inviteFromDirectory: [{ type: 'invitation.created' }],
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
  createWorkloadIdentity: 'It is a setting: how jobs of other services get tokens.',
  updateWorkloadIdentity: 'It is a setting: how jobs of other services get tokens.',
  deleteWorkloadIdentity: 'It is a setting: how jobs of other services get tokens.',
  setSignInRequirement: 'It is a setting: how members sign in.',
  openTeamAsOwner: 'Nothing changes for others.',
  addTeamDomain: 'It is a setting: how members sign in.',
  verifyTeamDomain: 'It is a setting: how members sign in.',
  removeTeamDomain: 'It is a setting: how members sign in.',
  loseTeamDomain: 'It is a setting: how members sign in.',
  createIdentityProvider: 'It is a setting: how members sign in.',
  updateIdentityProvider: 'It is a setting: how members sign in.',
  deleteIdentityProvider: 'It is a setting: how members sign in.',
  disableIdentityProvider: 'It is a setting: how members sign in.',
  enableIdentityProvider: 'It is a setting: how members sign in.',
  redeliver: 'Nothing changes.',
  replayEvents: 'Nothing changes.',
  createTeamClient: 'Nobody has connected the client yet.',
  updateTeamClient: 'It is the setting of a client.',
  submitTeamClient: 'It is the setting of a client.',
  rotateTeamClientSecret: 'It is the setting of a client.',
  revokeClientAccess: 'It is the setting of a client.',
  deleteTeamClient: 'Its grants have events.',
  approveClient: 'It is the setting of a client.',
  rejectClient: 'It is the setting of a client.',
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
