import { z } from 'zod'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { containing } from '../builder/search.ts'
import { SortDirectionType } from '../builder/sort-direction.ts'
import { withDates } from '../builder/with-dates.ts'
import { TeamType } from '../teams/team.ts'
import { parse, text } from '../core/validation.ts'
import { findAuditEntries } from './list-query.ts'
import type { AuditOrder } from './list-query.ts'

const valuesAsText = (values: Prisma.JsonValue) => (values === null ? null : JSON.stringify(values))

// No field exposes the credential's identifier, because clients have no use for it.
const AuditEntryType = builder.prismaObject('AuditEntry', {
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    action: t.exposeString('action'),
    actorKind: t.exposeString('actorKind'),
    actorName: t.exposeString('actorName'),
    authenticationMethod: t.exposeString('authenticationMethod'),
    subject: t.exposeString('subject'),
    subjectName: t.exposeString('subjectName', { nullable: true }),
    before: t.string({
      nullable: true,
      description: 'Previous values as JSON, without secrets.',
      resolve: ({ before }) => valuesAsText(before),
    }),
    after: t.string({
      nullable: true,
      description: 'New values as JSON, without secrets.',
      resolve: ({ after }) => valuesAsText(after),
    }),
  }),
})

const AuditOrderType = enumType('AuditOrder', 'What a list of audit entries is sorted by.', {
  time: 'time',
  actor: 'actor',
  action: 'action',
} satisfies Record<AuditOrder, AuditOrder>)

const filterRules = z
  .object({
    action: text.trim().max(64).nullish(),
    actor: text.trim().max(255).nullish(),
    search: text.trim().max(255).nullish(),
    since: z.date().nullish(),
    until: z.date().nullish(),
  })
  .refine(({ since, until }) => !since || !until || since < until, {
    path: ['until'],
    message: 'The :attribute field must be a date after since.',
  })

builder.objectField(TeamType, 'auditEntries', (t) =>
  t.field({
    description: 'The changes made in the team, newest first.',
    type: pageType('AuditEntryPage', AuditEntryType),
    complexity: listComplexity,
    requires: { scopes: ['acct:team:audit:read'], roles: ['owner'] },
    args: {
      ...pageArguments,
      action: t.arg.string({ description: 'Only entries of this mutation.' }),
      actor: t.arg.string({ description: 'Only entries of actors whose name contains this text, in upper or lower case.' }),
      since: t.arg({ type: 'DateTime', description: 'Only entries at or after this instant.' }),
      until: t.arg({ type: 'DateTime', description: 'Only entries before this instant.' }),
      search: t.arg.string({ description: 'Only entries of which the changed thing has a name with this text, in upper or lower case.' }),
      sort: t.arg({ type: AuditOrderType, description: 'What the list is sorted by; default `TIME`.' }),
      direction: t.arg({ type: SortDirectionType, description: 'Direction of the sort; default `DESC`.' }),
    },
    async resolve(team, { sort, direction, ...args }, { database }) {
      const { action, actor, since, until, search } = parse(filterRules, args)
      const filters = [action || null, patternOf(actor), since ?? null, until ?? null, patternOf(search)] as const
      const page = await findAuditEntries(database.pool, slice(args), sort ?? 'time', direction ?? 'desc', team.id, ...filters)
      return { ...page, nodes: page.nodes.map((entry) => withDates(entry, ['at'])) }
    },
  }),
)

const patternOf = (text: string | null | undefined) => (text ? containing(text) : null)
