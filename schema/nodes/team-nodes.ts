import type { MaybePromise, ObjectRef } from '@pothos/core'
import { TeamConnectedAppType } from '../apps/connected-app.ts'
import type { Types } from '../builder/builder.ts'
import { addGlobalId } from '../builder/node.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { requireTeamAccess, findTeamAccess } from '../core/team-access/team-access.ts'
import { TeamDomainType } from '../domains/domain.ts'
import { IdentityProviderType } from '../identity-providers/provider.ts'
import { TeamInvitationType } from '../invitations/invitation.ts'
import { TeamInvoiceType } from '../invoices/invoice.ts'
import { TeamMemberType } from '../members/member.ts'
import { TeamType } from '../teams/team.ts'
import { loadTeamSlugs } from '../tokens/team-slugs.ts'
import { TeamTokenType } from '../tokens/token.ts'
import { WebhookType } from '../webhooks/webhook.ts'
import { WorkloadIdentityType } from '../workload-identities/identity.ts'
import { throughField } from './through-field.ts'

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

/** Returns the slug of a team. Global ids contain it because it never changes and, unlike the internal key, is public. */
async function loadSlug(context: Context, teamId: string): Promise<string> {
  const teamAccess = await findTeamAccess(context, 'id', teamId)
  const slug = teamAccess?.team.slug ?? (await loadTeamSlugs(context, [teamId]))[0]
  if (slug === undefined) throw notFound('the team was deleted')
  return slug
}

/** Gives the objects of a type a global id that contains the slug of their team. The named field of `Team` finds them by `own`. */
function identifyInTeam<Row extends { teamId: string | null }>(
  ref: ObjectRef<Types, Row>,
  { field, own }: { field: string; own(row: Row): MaybePromise<string> },
): void {
  addGlobalId<Row>(ref, {
    key: async (row, context) => {
      if (row.teamId === null) throw new Error(`the ${ref.name} has no team`)
      return [await loadSlug(context, row.teamId), await own(row)]
    },
    load: async (context, [slug = '', id = ''], info) => {
      const { team } = await requireTeamAccess(context, slug)
      return throughField<Row>({ parent: 'Team', field, type: ref.name }, team, { id }, context, info)
    },
  })
}
