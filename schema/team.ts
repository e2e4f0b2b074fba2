import { z } from 'zod'
import type { Team } from '../prisma/generated/client/client.ts'
import { change } from './audit.ts'
import { avatarUrl } from './avatar.ts'
import { builder } from './builder.ts'
import type { Reach } from './context.ts'
import { lockTeam } from './ownership.ts'
import { authenticated, reachTeam } from './reach.ts'
import type { Requirement } from './requires.ts'
import { timezones } from './timezone.ts'
import { displayName, emailAddress, parse, text } from './validation.ts'

// "A team access token needs no scope" (§4.1).
export const readTeam: Requirement = { scopes: ['teams', 'acct:team:read'], teamTokenNeedsNoScope: true }
const requires: Requirement = { ...readTeam, impliedByMutation: true }

export const TeamType = builder.prismaObject('Team', {
  fields: (t) => ({
    // Open to whoever holds the team: they named it, or were told of it.
    slug: t.exposeString('slug'),
    name: t.exposeString('name', { requires }),
    timezone: t.exposeString('timezone', { nullable: true, requires }),
    gravatarEmail: t.exposeString('gravatarEmail', { nullable: true, requires }),
    avatarUrl: t.string({
      description: 'Address of the avatar that the avatar e-mail resolves to.',
      requires,
      resolve: (team) => avatarUrl(team.gravatarEmail),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', requires }),
  }),
})

/** The team of a reach as the graph has it: `DateTime` takes both forms of an instant. */
export const teamOf = ({ team }: Reach) => team as Team

builder.queryFields((t) => ({
  teams: t.field({
    description: 'The teams within reach of the credential, by slug.',
    type: [TeamType],
    // Ten, or as many as there are: whoever is in hundreds of teams cannot ask for a page of each.
    complexity: (_, { principal }) => ({
      field: 1,
      multiplier: Math.max(10, principal && 'teams' in principal ? principal.teams.length : 100),
    }),
    requires: readTeam,
    resolve: (_, __, context) => {
      const principal = authenticated(context)
      if (principal.kind === 'operator') return context.database.prisma.team.findMany({ orderBy: { slug: 'asc' } })
      return principal.teams.map(teamOf)
    },
  }),
  team: t.field({
    description: 'One team within reach. Each of its fields and lists needs its own scope.',
    type: TeamType,
    args: { slug: t.arg.string({ required: true, description: 'The team’s public slug.' }) },
    resolve: async (_, { slug }, context) => teamOf(await reachTeam(context, slug)),
  }),
}))

/** What a team may be called and where it may be (decisions §4). */
export const teamRules = {
  name: displayName.describe('The team’s display name.'),
  timezone: z
    .enum(timezones as [string, ...string[]])
    .meta({ id: 'Timezone', description: 'IANA name of a time zone.' })
    .nullable()
    .describe('IANA time zone, or null for none.'),
  gravatarEmail: emailAddress.nullable().describe('E-mail address that resolves the team’s avatar, or null for none.'),
}
/** Lower-case words joined by hyphens: safe in a path, and one way to write it. */
export const teamSlug = text
  .min(1, { abort: true })
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'The :attribute field must be lower-case letters, digits and single hyphens.')

export const TeamPayload = builder.objectRef<{ team: typeof TeamType.$inferType }>('TeamPayload').implement({
  description: 'A team as it is after the change.',
  fields: (t) => ({ team: t.expose('team', { type: TeamType, description: 'The team.' }) }),
})

const UpdateTeamInput = builder.inputType('UpdateTeamInput', {
  description: 'Absent members stay as they are.',
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    name: t.string({ description: 'The team’s display name, 1 to 255 characters.' }),
    timezone: t.string({ description: 'IANA time zone; null clears it.' }),
    gravatarEmail: t.string({ description: 'E-mail address that resolves the avatar; null clears it.' }),
  }),
})
const updateRules = z.object(teamRules).partial()

builder.mutationField('updateTeam', (t) =>
  t.field({
    description: 'Changes a team’s display name, time zone or avatar e-mail.',
    type: TeamPayload,
    requires: { scopes: ['acct:team:write'], roles: ['owner'] },
    args: { input: t.arg({ type: UpdateTeamInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team: present } = await reachTeam(context, input.team)
      const changes = parse(updateRules, input)
      return change(context, info, async (transaction) => {
        // Locked, so that the entry's old values are those this very change replaced.
        await lockTeam(transaction, present.id)
        const before = await transaction.team.findUniqueOrThrow({ where: { id: present.id } })
        const isChange = Object.keys(changes).length > 0
        const team = isChange
          ? await transaction.team.update({ where: { id: present.id }, data: { ...changes, updatedAt: context.now() } })
          : before
        const old = Object.fromEntries(Object.keys(changes).map((key) => [key, before[key as keyof typeof changes]]))
        return { result: { team }, teamId: team.id, subject: team.slug, before: old, after: changes }
      })
    },
  }),
)
