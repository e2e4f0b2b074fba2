import { AuditEntryType } from '../audit/audit-entry.ts'
import { builder } from '../builder/builder.ts'
import { auditActions } from '../core/audit/actions.ts'
import type { AuditSubject } from '../core/audit/actions.ts'
import type { AuditActionRow } from '../core/audit/audited-mutations.ts'
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

const types = {
  Team: TeamType,
  TeamMember: TeamMemberType,
  TeamInvitation: TeamInvitationType,
  TeamInvoice: TeamInvoiceType,
  TeamToken: TeamTokenType,
  MemberToken: MemberTokenType,
  Grant: GrantType,
  Webhook: WebhookType,
  WorkloadIdentity: WorkloadIdentityType,
  TeamDomain: TeamDomainType,
  IdentityProvider: IdentityProviderType,
  OAuthClient: ClientType,
} satisfies Record<AuditSubject, object>

const AuditSubjectType = builder.unionType('AuditSubject', {
  description: 'The object that a change in a team was made to.',
  types: Object.values(types),
})

const rows: Readonly<Record<string, AuditActionRow & { subject?: AuditSubject }>> = auditActions

builder.objectField(AuditEntryType, 'subjectObject', (t) =>
  t.field({
    description:
      'The object that was changed, in its current state. Null if it was deleted, if the caller may not see it, and for changes outside ' +
      'of a team; `subject` and `subjectName` identify the object in every case.',
    type: AuditSubjectType,
    nullable: true,
    resolve: async ({ action, subject, teamId }, _, context, info) => {
      const type = rows[action]?.subject
      if (type === undefined || teamId === null) return null
      return findOfTeam(context, { type, teamId, id: subject }, info)
    },
  }),
)
