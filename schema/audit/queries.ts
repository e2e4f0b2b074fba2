import { z } from 'zod'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { containing } from '../builder/search.ts'
import { SortDirectionType } from '../builder/sort-direction.ts'
import { withDates } from '../builder/with-dates.ts'
import { TeamType } from '../teams/team.ts'
import { parse, text } from '../core/validation.ts'
import { AuditEntryType, readAuditEntries } from './audit-entry.ts'
import { ActorKindType, AuditActionType, AuthenticationMethodType } from './audit-enums.ts'
import type { ActorKind, AuthenticationMethod } from './audit-enums.ts'
import { findAuditEntries } from './list-query.ts'
import type { AuditFilters, AuditOrder } from './list-query.ts'

const AuditOrderType = enumType('AuditOrder', 'What a list of audit entries is sorted by.', {
  time: 'When the change was made.',
  actor: 'The name of the actor.',
  action: 'The name of the action.',
} satisfies Record<AuditOrder, string>)

/** Arguments that filter audit entries. */
export const auditFilterArguments = builder.args((t) => ({
  action: t.field({ type: AuditActionType, description: 'Only entries of this action.' }),
  actorKind: t.field({ type: ActorKindType, description: 'Only entries of this kind of actor.' }),
  actor: t.string({ description: 'Only entries of actors whose name contains this text, in upper or lower case.' }),
  authenticationMethod: t.field({ type: AuthenticationMethodType, description: 'Only entries of actors who were authenticated this way.' }),
  subject: t.string({
    description: 'Only entries about this: the identifier of a user, token, grant or invitation, the slug of a team, or a `client_id`.',
  }),
  since: t.field({ type: 'DateTime', description: 'Only entries at or after this instant.' }),
  until: t.field({ type: 'DateTime', description: 'Only entries before this instant.' }),
  search: t.string({ description: 'Only entries of which the changed thing has a name with this text, in upper or lower case.' }),
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

type FilterArguments = z.input<typeof filterRules> & {
  action?: string | null
  actorKind?: ActorKind | null
  authenticationMethod?: AuthenticationMethod | null
}

/** Validates the arguments that filter audit entries. */
export function auditFilters(args: FilterArguments): AuditFilters {
  const { actor, subject, search, since, until } = parse(filterRules, args)
  const { action = null, actorKind = null, authenticationMethod = null } = args
  return [action, actorKind, patternOf(actor), authenticationMethod, subject || null, since ?? null, until ?? null, patternOf(search)]
}

const patternOf = (text: string | null | undefined) => (text ? containing(text) : null)

builder.objectField(TeamType, 'auditEntries', (t) =>
  t.field({
    description: 'The changes made in the team, newest first.',
    type: pageType('AuditEntryPage', AuditEntryType),
    complexity: listComplexity,
    requires: readAuditEntries,
    args: {
      ...pageArguments,
      ...auditFilterArguments,
      sort: t.arg({ type: AuditOrderType, description: 'What the list is sorted by; default `TIME`.' }),
      direction: t.arg({ type: SortDirectionType, description: 'Direction of the sort; default `DESC`.' }),
    },
    async resolve(team, { sort, direction, ...args }, { database }) {
      const page = await findAuditEntries(database.pool, slice(args), sort ?? 'time', direction ?? 'desc', team.id, ...auditFilters(args))
      return { ...page, nodes: page.nodes.map((entry) => withDates(entry, ['at'])) }
    },
  }),
)
