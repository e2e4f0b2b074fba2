import type { InputShapeFromFields } from '@pothos/core'
import { z } from 'zod'
import { builder } from '../builder/builder.ts'
import { pageType } from '../builder/pagination.ts'
import { containing } from '../builder/search.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { parseUserId } from '../teams/person.ts'
import { TeamType } from '../teams/team.ts'
import { findTeamsOfCaller, teamsArgument } from '../teams/teams-of-caller.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier, parseGlobalId } from '../core/global-id.ts'
import { isIdentifier, parse, text } from '../core/validation.ts'
import { AuditEntryType, readAuditEntries } from './audit-entry.ts'
import { ActorKindType, AuditActionType, AuthenticationMethodType } from './audit-enums.ts'
import { auditList } from './audit-list.ts'
import type { AuditFilters, AuditOrder } from './audit-list.ts'

export const AuditOrderType = orderByType('AuditOrder', 'audit entries', {
  time: 'When the change was made.',
  actor: 'The name of the actor, then the time.',
  action: 'The name of the action, then the time.',
} satisfies Record<AuditOrder, string>)

export const auditArguments = builder.args((t) => ({
  action: t.field({ type: AuditActionType, description: 'Only entries of this action.' }),
  actorKind: t.field({ type: ActorKindType, description: 'Only entries of this kind of actor.' }),
  actor: t.string({
    description:
      'Only entries of the user with this identifier or global id, or of actors whose name contains this text, in upper or lower case.',
  }),
  authenticationMethod: t.field({ type: AuthenticationMethodType, description: 'Only entries of actors who were authenticated this way.' }),
  subject: t.string({
    description:
      'Only entries about this object: the identifier of a user, token, grant or invitation, the slug of a team, a `client_id`, or a global id.',
  }),
  since: t.field({ type: 'DateTime', description: 'Only entries at or after this instant.' }),
  until: t.field({ type: 'DateTime', description: 'Only entries before this instant.' }),
  search: t.string({ description: 'Only entries whose subject has a name that contains this text, in upper or lower case.' }),
  orderBy: t.field({ type: AuditOrderType, description: 'The order; default by time, latest first.' }),
}))

const filterRules = z
  .object({
    actor: text.trim().max(255).nullish(),
    subject: text.trim().max(255).nullish(),
    search: text.trim().max(255).nullish(),
    since: z.date().nullish(),
    until: z.date().nullish(),
  })
  .refine(({ since, until }) => !since || !until || since < until, {
    path: ['until'],
    message: 'The :attribute field must be a date after since.',
  })

/** Returns the filter by actor: by identifier if the text is one or is a global id, otherwise by a part of the name. */
function actorFilter(actor: string): Pick<AuditFilters, 'actor' | 'actorUserId'> {
  const actorUserId = parseUserId(actor)
  return actorUserId === null ? { actor: containing(actor) } : { actorUserId }
}

/** Converts the arguments to filters. */
export function auditQuery({ actorKind, action, authenticationMethod, orderBy, ...args }: InputShapeFromFields<typeof auditArguments>) {
  const { actor, subject, search, since, until } = parse(filterRules, args)
  const filters: AuditFilters = {
    action,
    authenticationMethod,
    actorKind,
    ...(actor && actorFilter(actor)),
    subject: subject == null ? null : (parseGlobalId(subject)?.key.at(-1) ?? subject),
    since,
    until,
    search: search ? containing(search) : null,
  }
  return { filters, orderBy: orderBy ?? ({ field: 'time', direction: 'desc' } as const) }
}

const ofTeams = {
  page: pageType('AuditEntryPage', AuditEntryType),
  connection: connectionType('AuditEntry', AuditEntryType),
  requires: readAuditEntries,
  list: auditList,
  query: auditQuery,
}

builder.objectFields(TeamType, (t) => ({
  ...listFields(t, 'auditEntries', { ...ofTeams, description: 'The changes made in the team.', args: auditArguments }),
  auditEntry: t.field({
    description: 'One change made in the team.',
    type: AuditEntryType,
    requires: readAuditEntries,
    args: { id: t.arg.id({ required: true, description: 'The entry’s identifier.' }) },
    resolve: async (team, args, { database: { prisma } }) => {
      const id = parseIdentifier(args.id, ['AuditEntry'])
      const entry = isIdentifier(id) ? await prisma.auditEntry.findFirst({ where: { id, teamId: team.id } }) : null
      if (!entry) throw notFound()
      return entry
    },
  }),
}))

builder.queryFields((t) =>
  listFields(t, 'auditEntries', {
    ...ofTeams,
    description: 'The changes made in all teams of the caller, or in the given teams, as one list.',
    cost: 100,
    args: builder.args(() => ({ ...auditArguments, ...teamsArgument })),
    owners: async ({ teams }, context) => (await findTeamsOfCaller(context, readAuditEntries, teams)).map(({ id }) => id),
  }),
)
