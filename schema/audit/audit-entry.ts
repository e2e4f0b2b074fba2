import { z } from 'zod'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { listComplexity, loadPage, pageArguments, pageType } from '../builder/pagination.ts'
import { TeamType } from '../teams/team.ts'
import { parse, text } from '../core/validation.ts'

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

const filterRules = z
  .object({
    action: text.trim().max(64).nullish(),
    actor: text.trim().max(255).nullish(),
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
    },
    resolve: (team, args, { database: { prisma } }) => {
      const where = matching(team.id, parse(filterRules, args))
      return loadPage(args, {
        count: () => prisma.auditEntry.count({ where }),
        find: (window) => prisma.auditEntry.findMany({ where, orderBy: [{ at: 'desc' }, { id: 'desc' }], ...window }),
      })
    },
  }),
)

function matching(teamId: string, { action, actor, since, until }: z.output<typeof filterRules>): Prisma.AuditEntryWhereInput {
  return {
    teamId,
    ...(action && { action }),
    // Escaped, because LIKE would take these characters as a pattern.
    ...(actor && { actorName: { contains: actor.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' } }),
    at: { ...(since && { gte: since }), ...(until && { lt: until }) },
  }
}
