import { builder } from '../builder/builder.ts'
import type { Requirement } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { pictureFiles, pictureUrl } from '../pictures/picture-url.ts'
import { avatarUrl } from './avatar.ts'
import { teamRules } from './rules.ts'

/** The requirement to read a team. A team token needs no scope for its own team (docs/decisions/permissions.md#team-tokens). */
export const readTeam: Requirement = { scopes: ['teams', 'acct:team:read'], teamTokenNeedsNoScope: true }
const requires: Requirement = { ...readTeam, scopesInMutation: ['acct:team:write'], openToStaff: 'properties' }

// OpenAPI takes the schema of a response's member from its `rule`, the zod schema by which it is written.
export const TeamType = builder.prismaObject('Team', {
  fields: (t) => ({
    // The field needs no scope: every caller that can access the team already has its slug.
    slug: t.exposeString('slug'),
    name: t.exposeString('name', { requires, extensions: { rule: teamRules.name } }),
    timezone: t.exposeString('timezone', { nullable: true, requires, extensions: { rule: teamRules.timezone } }),
    gravatarEmail: t.exposeString('gravatarEmail', { nullable: true, requires, extensions: { rule: teamRules.gravatarEmail } }),
    avatarUrl: t.string({
      description: 'URL of the logo; without one, of the avatar for the avatar email.',
      requires,
      resolve: (team, _, context) => pictureUrl(context, team.logoId) ?? avatarUrl(team.gravatarEmail),
    }),
    logoUrl: t.string({
      description: `URL of the team’s logo, ${pictureFiles}`,
      nullable: true,
      requires,
      resolve: (team, _, context) => pictureUrl(context, team.logoId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', requires }),
    twoFactorRequiredAt: t.expose('twoFactorRequiredAt', { type: 'DateTime', nullable: true, requires }),
  }),
})

builder.queryFields((t) => ({
  team: t.field({
    description: 'One accessible team. Each of its fields and lists needs its own scope.',
    type: TeamType,
    args: { slug: t.arg.string({ required: true, description: 'The team’s public slug.' }) },
    resolve: async (_, { slug }, context) => (await requireTeamAccess(context, slug)).team,
  }),
}))
