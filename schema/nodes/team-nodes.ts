import { TeamConnectedAppType } from '../apps/connected-app.ts'
import { addGlobalId } from '../builder/node.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { TeamDomainType } from '../domains/domain.ts'
import { IdentityProviderType } from '../identity-providers/provider.ts'
import { TeamInvitationType } from '../invitations/invitation.ts'
import { TeamInvoiceType } from '../invoices/invoice.ts'
import { TeamMemberType } from '../members/member.ts'
import { TeamType } from '../teams/team.ts'
import { TeamTokenType } from '../tokens/token.ts'
import { WebhookType } from '../webhooks/webhook.ts'
import { WorkloadIdentityType } from '../workload-identities/identity.ts'
import { identifyInTeam } from './in-team.ts'

addGlobalId(TeamType, {
  key: ({ slug }) => [slug],
  load: async (context, [slug = '']) => (await requireTeamAccess(context, slug)).team,
})

identifyInTeam(TeamMemberType, { field: 'member', own: ({ userId }) => userId })
identifyInTeam(TeamConnectedAppType, { field: 'app', own: ({ application }) => application })
identifyInTeam(TeamInvoiceType, { field: 'invoice', own: ({ id }) => id })
identifyInTeam(TeamInvitationType, { field: 'invitation', own: ({ id }) => id })
identifyInTeam(WebhookType, { field: 'webhook', own: ({ id }) => id })
identifyInTeam(WorkloadIdentityType, { field: 'workloadIdentity', own: ({ id }) => id })
identifyInTeam(TeamDomainType, { field: 'domain', own: ({ id }) => id })
identifyInTeam(IdentityProviderType, { field: 'identityProvider', own: ({ id }) => id })
identifyInTeam(TeamTokenType, { field: 'token', own: ({ id }) => id })
