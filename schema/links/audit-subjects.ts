import { AuditEntryType } from '../audit/audit-entry.ts'
import { builder } from '../builder/builder.ts'
import { TeamDomainType } from '../domains/domain.ts'
import { IdentityProviderType } from '../identity-providers/provider.ts'
import { TeamInvitationType } from '../invitations/invitation.ts'
import { TeamInvoiceType } from '../invoices/invoice.ts'
import { TeamMemberType } from '../members/member.ts'
import { ClientType } from '../oauth/clients/client.ts'
import { GrantType } from '../oauth/grants/grant.ts'
import { TeamType } from '../teams/team.ts'
import { MemberTokenType } from '../tokens/member-tokens/member-token.ts'
import { TeamTokenType } from '../tokens/token.ts'
import { WebhookType } from '../webhooks/webhook.ts'
import { WorkloadIdentityType } from '../workload-identities/identity.ts'
import { findOfTeam } from './find-of-team.ts'

/** The actions in a team, by the type of the object that `subject` identifies. */
const actions = {
  Team: [
    'createTeam',
    'updateTeam',
    'deleteTeam',
    'restoreTeam',
    'setTwoFactorRequirement',
    'setSignInRequirement',
    'openTeamAsOwner',
    'setGroupRoles',
    'exportAuditLog',
    'readAsStaff',
  ],
  TeamMember: [
    'addMember',
    'joinThroughProvider',
    'provisionMember',
    'applyGroups',
    'removeByGroups',
    'deprovisionMember',
    'moveAddress',
    'updateMember',
    'removeMember',
    'leaveTeam',
    'transferOwnership',
    'acceptInvitation',
    'remindOfTwoFactor',
    'remindOfRequiredSignIn',
  ],
  TeamInvitation: ['inviteMember', 'inviteFromDirectory', 'resendInvitation', 'revokeInvitation', 'declineInvitation', 'expireInvitation'],
  TeamToken: ['createTeamToken', 'updateToken', 'rotateToken', 'revokeToken', 'announceTokenExpiry'],
  Webhook: [
    'createWebhook',
    'updateWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
    'sendTestEvent',
    'redeliver',
    'replayEvents',
    'disableWebhook',
  ],
  WorkloadIdentity: ['createWorkloadIdentity', 'updateWorkloadIdentity', 'deleteWorkloadIdentity'],
  TeamDomain: ['addTeamDomain', 'verifyTeamDomain', 'removeTeamDomain', 'loseTeamDomain'],
  IdentityProvider: [
    'createIdentityProvider',
    'updateIdentityProvider',
    'deleteIdentityProvider',
    'disableIdentityProvider',
    'enableIdentityProvider',
  ],
  OAuthClient: [
    'createTeamClient',
    'updateTeamClient',
    'submitTeamClient',
    'rotateTeamClientSecret',
    'revokeClientAccess',
    'deleteTeamClient',
    'approveClient',
    'rejectClient',
    'updateClient',
    'rotateClientSecret',
    'disableClient',
    'enableClient',
    'deleteClient',
  ],
  MemberToken: ['revokeTokenTeamAccess'],
  TeamInvoice: ['issueInvoice', 'issuePaidInvoice', 'updateInvoice', 'payInvoice', 'announceOverdueInvoice'],
  Grant: ['createGrant', 'extendGrant', 'revokeGrant', 'reduceGrantScopes', 'revokeGrantTeamAccess'],
}
const typeOf = new Map(Object.entries(actions).flatMap(([type, names]) => names.map((name) => [name, type])))

const AuditSubjectType = builder.unionType('AuditSubject', {
  description: 'The object that a change in a team was made to.',
  types: [
    TeamType,
    TeamMemberType,
    TeamInvitationType,
    TeamInvoiceType,
    TeamTokenType,
    MemberTokenType,
    GrantType,
    WebhookType,
    WorkloadIdentityType,
    TeamDomainType,
    IdentityProviderType,
    ClientType,
  ],
})

builder.objectField(AuditEntryType, 'subjectObject', (t) =>
  t.field({
    description:
      'The object that was changed, in its current state. Null if it was deleted, if the caller may not see it, and for changes outside ' +
      'of a team; `subject` and `subjectName` identify the object in every case.',
    type: AuditSubjectType,
    nullable: true,
    resolve: async ({ action, subject, teamId }, _, context, info) => {
      const type = typeOf.get(action)
      if (type === undefined || teamId === null) return null
      return findOfTeam(context, { type, teamId, id: subject }, info)
    },
  }),
)
