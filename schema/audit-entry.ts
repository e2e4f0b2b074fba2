import { z } from 'zod'
import type { Prisma } from '../prisma/generated/client/client.ts'
import { builder } from './builder.ts'
import { about } from './description.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { watchTeam } from './requires.ts'
import { TeamType } from './team.ts'
import { parse, text } from './validation.ts'

interface Entry {
  id: string
  at: Date
  action: string
  actorKind: string
  actorName: string
  via: string
  subject: string
  subjectName: string | null
  before: Prisma.JsonValue
  after: Prisma.JsonValue
}

const valuesAsText = (values: Prisma.JsonValue) => (values === null ? null : JSON.stringify(values))

// No field tells a credential's identifier: it says nothing to people, and what is not told cannot be misused.
const AuditEntryType = builder.objectRef<Entry>('AuditEntry').implement({
  description: about('AuditEntry'),
  fields: (t) => ({
    id: t.exposeID('id', { description: about('AuditEntry.id') }),
    at: t.expose('at', { type: 'DateTime', description: about('AuditEntry.at') }),
    action: t.exposeString('action', { description: about('AuditEntry.action') }),
    actorKind: t.exposeString('actorKind', { description: about('AuditEntry.actorKind') }),
    actorName: t.exposeString('actorName', { description: about('AuditEntry.actorName') }),
    via: t.exposeString('via', { description: about('AuditEntry.via') }),
    subject: t.exposeString('subject', { description: about('AuditEntry.subject') }),
    subjectName: t.exposeString('subjectName', { nullable: true, description: about('AuditEntry.subjectName') }),
    before: t.string({
      nullable: true,
      description: 'Old values of what changed, as JSON, without secrets.',
      resolve: ({ before }) => valuesAsText(before),
    }),
    after: t.string({
      nullable: true,
      description: 'New values of what changed, as JSON, without secrets.',
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
    description: 'Who changed what in the team, newest first.',
    type: pageType('AuditEntryPage', AuditEntryType),
    complexity: listComplexity,
    // Of credentials most entries tell: with the scope that reads members, every program that keeps a list of them would
    // learn who did what.
    requires: watchTeam,
    args: {
      ...pageArguments,
      action: t.arg.string({ description: 'Only what was done by this mutation.' }),
      actor: t.arg.string({ description: 'Only what was done by those whose name contains this, in any case.' }),
      since: t.arg({ type: 'DateTime', description: 'Only from this instant on.' }),
      until: t.arg({ type: 'DateTime', description: 'Only before this instant.' }),
    },
    resolve: async (team, args, { database: { prisma } }) => {
      const { page, perPage, offset } = slice(args)
      const where = matching(team.id, parse(filterRules, args))
      const [total, nodes] = await Promise.all([
        prisma.auditEntry.count({ where }),
        prisma.auditEntry.findMany({ where, orderBy: [{ at: 'desc' }, { id: 'desc' }], skip: offset, take: perPage }),
      ])
      return { nodes, total, page, perPage }
    },
  }),
)

function matching(teamId: string, { action, actor, since, until }: z.output<typeof filterRules>): Prisma.AuditEntryWhereInput {
  return {
    teamId,
    ...(action && { action }),
    // Escaped: what is looked for is text, and no pattern.
    ...(actor && { actorName: { contains: actor.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' } }),
    at: { ...(since && { gte: since }), ...(until && { lt: until }) },
  }
}
