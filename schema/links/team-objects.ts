import type { ObjectRef } from '@pothos/core'
import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import { TeamConnectedAppType } from '../apps/connected-app.ts'
import { AuditEntryType } from '../audit/audit-entry.ts'
import { builder } from '../builder/builder.ts'
import type { Types } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { findLinkedTeam } from '../core/team-access/team-access.ts'
import { SolelyOwnedTeamType } from '../accounts/deletion/delete-account.ts'
import { TeamInvitationType } from '../invitations/invitation.ts'
import { TeamPersonType } from '../invitations/people.ts'
import { TeamInvoiceLineType, TeamInvoiceType } from '../invoices/invoice.ts'
import { loadById } from '../lists/batch.ts'
import { TeamMemberType } from '../members/member.ts'
import { GrantType } from '../oauth/grants/grant.ts'
import { PersonType } from '../teams/person.ts'
import { TeamType } from '../teams/team.ts'
import { TeamTokenType } from '../tokens/token.ts'
import { findOfTeam } from './find-of-team.ts'

// These fields link the objects of a team to the team, to users and to each other. Teams are loaded already, and one statement reads the
// users of all objects in a list.

/** Returns the team of an object, or null if the caller cannot access it, as in the audit entries that staff read. */
async function getTeam({ teamId }: { teamId: string | null }, _: object, context: Context) {
  return (teamId !== null && (await findLinkedTeam(context, teamId))?.team) || null
}

function linkToTeam<Row extends { teamId: string | null }>(
  ref: ObjectRef<Types, Row>,
  description = 'The team; null if the caller cannot access it.',
): void {
  builder.objectField(ref, 'team', (t) => t.field({ description, type: TeamType, nullable: true, resolve: getTeam }))
}
linkToTeam(TeamMemberType)
linkToTeam(TeamConnectedAppType)
linkToTeam(TeamInvoiceType)
linkToTeam(TeamInvitationType)
linkToTeam(TeamTokenType)
linkToTeam(AuditEntryType)
linkToTeam(GrantType, 'The team that the grant is limited to; null if it is not limited, or if the caller cannot access the team.')

builder.objectField(SolelyOwnedTeamType, 'team', (t) =>
  t.field({
    description: 'The team; null if the caller cannot access it.',
    type: TeamType,
    nullable: true,
    resolve: ({ id }, args, context) => getTeam({ teamId: id }, args, context),
  }),
)

builder.objectField(TeamMemberType, 'user', (t) =>
  t.field({
    description: 'The user, who is the same in every team.',
    type: PersonType,
    resolve: ({ id, name, pictureId }) => ({ id, name, pictureId }),
  }),
)

const peopleById = statement<{ id: string; name: string; pictureId: string | null }, [ids: readonly string[]]>(
  'people_by_id',
  'SELECT id, name, picture_id AS "pictureId" FROM users WHERE id = ANY ($1)',
)

/** Returns the user with an identifier; null if the account was deleted. */
const findPerson = async (context: Context, id: string | null) =>
  id === null ? null : loadById(context, 'people', id, (ids) => peopleById(context.database.pool, ids))

builder.objectField(AuditEntryType, 'actor', (t) =>
  t.field({
    description: 'The user who made the change. Null if the actor is not a user or the account was deleted; `actorName` has the name.',
    type: PersonType,
    nullable: true,
    resolve: ({ actorUserId }, _, context) => findPerson(context, actorUserId),
  }),
)

builder.objectField(AuditEntryType, 'subjectUser', (t) =>
  t.field({
    description: 'The user whose personal token or grant was changed. Null for every other change, and if the account was deleted.',
    type: PersonType,
    nullable: true,
    resolve: ({ after }, _, context) => findPerson(context, userReference.safeParse(after).data?.userId ?? null),
  }),
)
/** The values of audit entries for credentials of a user, which contain the user. */
const userReference = z.object({ userId: z.uuid() })

builder.objectFields(TeamInvitationType, (t) => ({
  invitedBy: t.field({
    description: 'The owner who sent it; null if a team token or a machine sent it, or if the account was deleted.',
    type: PersonType,
    nullable: true,
    resolve: ({ invitedById }, _, context) => findPerson(context, invitedById),
  }),
  invitedByToken: t.field({
    description: 'The team token that sent it. Null if a user sent it, if the token was deleted, or if the caller may not see it.',
    type: TeamTokenType,
    nullable: true,
    resolve: ({ teamId, invitedByTokenId: id }, _, context, info) =>
      id === null ? null : findOfTeam(context, { type: 'TeamToken', teamId, id }, info),
  }),
  acceptedBy: t.field({
    description: 'The user who accepted. Null if the invitation was not accepted, or if the account was deleted.',
    type: PersonType,
    nullable: true,
    resolve: ({ acceptedById }, _, context) => findPerson(context, acceptedById),
  }),
}))

builder.objectFields(TeamPersonType, (t) => ({
  member: t.field({
    description: 'The member; null for an invitation.',
    type: TeamMemberType,
    nullable: true,
    resolve: ({ teamId, id, state }, _, context, info) =>
      state === 'member' ? findOfTeam(context, { type: 'TeamMember', teamId, id }, info) : null,
  }),
  invitation: t.field({
    description: 'The invitation; null for a member.',
    type: TeamInvitationType,
    nullable: true,
    resolve: ({ teamId, id, state }, _, context, info) =>
      state === 'invited' ? findOfTeam(context, { type: 'TeamInvitation', teamId, id }, info) : null,
  }),
}))

builder.objectFields(TeamInvoiceLineType, (t) => ({
  invoice: t.expose('invoice', { type: TeamInvoiceType, describedBy: 'InvoiceLine.invoiceId' }),
  app: t.field({
    description: 'The product that the line is for; null if it is for none, or if the team has none that the caller may see.',
    type: TeamConnectedAppType,
    nullable: true,
    resolve: ({ invoice: { teamId }, appId }, _, context, info) =>
      appId === null ? null : findOfTeam(context, { type: 'TeamConnectedApp', teamId, id: appId }, info),
  }),
}))

builder.objectField(TeamInvoiceType, 'app', (t) =>
  t.field({
    description:
      'The product that the invoice is for. Null if it is for all products, if the product is no longer connected, or if the caller may not see it.',
    type: TeamConnectedAppType,
    nullable: true,
    resolve: ({ teamId, appId }, _, context, info) =>
      appId === null ? null : findOfTeam(context, { type: 'TeamConnectedApp', teamId, id: appId }, info),
  }),
)
