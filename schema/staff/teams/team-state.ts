import { auditEntries } from '../../audit/audit-list.ts'
import { AuditEntryType } from '../../audit/audit-entry.ts'
import { builder } from '../../builder/builder.ts'
import { withDates } from '../../builder/with-dates.ts'
import { notFound } from '../../core/errors.ts'
import { slugOfTeam } from '../../core/global-id.ts'
import { isSlug } from '../../core/team-access/lazy-teams.ts'
import { requirePrincipal } from '../../core/team-access/team-access.ts'
import { toClient } from '../../oauth/clients/client-row.ts'
import { ClientType } from '../../oauth/clients/client.ts'
import { restorableAfter, restorableUntil } from '../../teams/team-deletion.ts'
import { TeamType } from '../../teams/team.ts'
import { markNamedTeam } from '../audit-reading.ts'
import { toShownEntry } from '../shown-entry.ts'
import { StaffType } from '../staff.ts'
import { StaffDomainType, StaffProviderType } from './sign-in-parts.ts'
import { latestCount, readTeamState } from './state-query.ts'
import type { StoredTeamState } from './state-query.ts'
import { StaffInvitationType, StaffMemberCountType, StaffWebhookType } from './team-parts.ts'

// JSON of PostgreSQL has another form for them than responses.
const instantsOfClient = ['fetchedAt', 'lastUsedAt', 'disabledAt', 'createdAt', 'updatedAt'] as const

const TeamStateType = builder.objectRef<StoredTeamState>('StaffTeamState').implement({
  description:
    'The state of a team, deleted or not, for staff who help its owners. It contains no secrets, no tokens, no URLs of webhooks and no invoices.',
  fields: (t) => ({
    team: t.field({ type: TeamType, description: 'The team.', resolve: (state) => markNamedTeam(state) }),
    deletedAt: t.expose('deletedAt', { type: 'DateTime', nullable: true, describedBy: 'Team.deletedAt' }),
    erasedAt: t.expose('erasedAt', { type: 'DateTime', nullable: true, describedBy: 'Team.erasedAt' }),
    restorableUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when the deleted team can be restored. Null if it is not deleted, or can no longer be restored.',
      resolve: ({ deletedAt, isRestorable }, _, context) =>
        deletedAt !== null && isRestorable ? restorableUntil(new Date(deletedAt), context) : null,
    }),
    isMember: t.exposeBoolean('isMember', {
      description: 'Whether the caller is a member of the team. Staff cannot act on their own teams.',
    }),
    memberCounts: t.expose('members', {
      type: [StaffMemberCountType],
      description: 'The number of members of each role that a member has.',
    }),
    openInvitationCount: t.exposeInt('invitationCount', {
      description: 'The number of invitations that were not answered and have not expired.',
    }),
    invitations: t.expose('invitations', {
      type: [StaffInvitationType],
      description: `The latest ${latestCount} invitations that can be sent again, even after their expiry.`,
    }),
    tokenCount: t.exposeInt('tokenCount', { description: 'The number of team tokens that are neither revoked nor expired.' }),
    signInRequiredAt: t.field({
      type: 'DateTime',
      nullable: true,
      describedBy: 'Team.signInRequiredAt',
      resolve: ({ signInRequiredAt }) => signInRequiredAt,
    }),
    identityProviders: t.expose('providers', { type: [StaffProviderType], description: 'The identity providers of the team.' }),
    domains: t.expose('domains', { type: [StaffDomainType], description: 'The domains of the team.' }),
    webhooks: t.expose('webhooks', { type: [StaffWebhookType], description: 'The webhooks of the team.' }),
    clients: t.field({
      type: [ClientType],
      description: 'The OAuth clients that the team has registered. Their secrets are never returned.',
      complexity: { field: 1, multiplier: 10 },
      resolve: ({ clients }) => clients.map((row) => withDates(toClient(row), instantsOfClient)),
    }),
    latestEntries: t.field({
      type: [AuditEntryType],
      description: `The latest ${latestCount} entries of the audit log of the team but those of what staff have read, newest first.`,
      resolve: ({ entries }) => entries.map((entry) => toShownEntry(auditEntries.toNode(entry))),
    }),
  }),
})

builder.objectField(StaffType, 'teamState', (t) =>
  t.field({
    description:
      'The state of one team, deleted or not: how its members sign in, its webhooks, clients and invitations, and its latest audit entries.',
    type: TeamStateType,
    complexity: 50,
    args: { slug: t.arg.string({ required: true, description: 'The team’s public slug.' }) },
    resolve: async (_, args, context) => {
      const slug = slugOfTeam(args.slug)
      const principal = requirePrincipal(context)
      const userId = principal.kind === 'user' ? principal.user.id : null
      const [state] = isSlug(slug) ? await readTeamState(context.database.pool, slug, userId, context.now(), restorableAfter(context)) : []
      if (!state) throw notFound()
      return state
    },
  }),
)
