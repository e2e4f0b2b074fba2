import type { ObjectRef } from '@pothos/core'
import { statement } from '../../prisma/statement.ts'
import { TeamConnectedAppType } from '../apps/connected-app.ts'
import { AuditEntryType } from '../audit/audit-entry.ts'
import { builder } from '../builder/builder.ts'
import type { Types } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { findTeamAccess } from '../core/team-access.ts'
import { TeamInvitationType } from '../invitations/invitation.ts'
import { TeamInvoiceType } from '../invoices/invoice.ts'
import { loadById } from '../lists/batch.ts'
import { TeamMemberType } from '../members/member.ts'
import { PersonType } from '../teams/person.ts'
import { TeamType } from '../teams/team.ts'
import { TeamTokenType } from '../tokens/token.ts'

// Links from the objects of a team back to the team and to users. A list costs no statement for its teams, which are loaded, and one
// for all its users.

/** The team of an object, or null if the caller cannot access it, as in the audit entries that staff read. */
async function teamOf({ teamId }: { teamId: string | null }, _: object, context: Context) {
  return (teamId !== null && (await findTeamAccess(context, 'id', teamId))?.team) || null
}

function linkToTeam<Row extends { teamId: string | null }>(ref: ObjectRef<Types, Row>): void {
  builder.objectField(ref, 'team', (t) =>
    t.field({ description: 'The team; null if the caller cannot access it.', type: TeamType, nullable: true, resolve: teamOf }),
  )
}
linkToTeam(TeamMemberType)
linkToTeam(TeamConnectedAppType)
linkToTeam(TeamInvoiceType)
linkToTeam(TeamInvitationType)
linkToTeam(TeamTokenType)
linkToTeam(AuditEntryType)

builder.objectField(TeamMemberType, 'user', (t) =>
  t.field({ description: 'The user, who is the same in every team.', type: PersonType, resolve: ({ id, name }) => ({ id, name }) }),
)

const peopleById = statement<{ id: string; name: string }, [ids: readonly string[]]>(
  'people_by_id',
  'SELECT id, name FROM users WHERE id = ANY ($1)',
)

builder.objectField(AuditEntryType, 'actor', (t) =>
  t.field({
    description: 'The user who did it; null if the actor is not a user, or if the account was deleted. `actorName` is the name then.',
    type: PersonType,
    nullable: true,
    resolve: async ({ actorUserId }, _, context) => {
      if (actorUserId === null) return null
      return loadById(context, 'people', actorUserId, (ids) => peopleById(context.database.pool, ids))
    },
  }),
)
