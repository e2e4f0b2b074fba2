import type { TeamDomain } from '../../prisma/generated/client/client.ts'
import { domainColumns, readRows } from '../../prisma/statement/read-row.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier } from '../core/validation.ts'
import { loadBatched } from '../lists/batch.ts'
import { TeamType } from '../teams/team.ts'
import { maxDomains, buildRecordName, seeDomains } from './rules.ts'

export const TeamDomainType = builder.prismaObject('TeamDomain', {
  fields: (t) => ({
    domainId: t.exposeID('id'),
    domain: t.exposeString('domain'),
    recordName: t.string({
      description: 'The name of the TXT record that verifies the domain.',
      resolve: ({ domain }) => buildRecordName(domain),
    }),
    recordValue: t.exposeString('value'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    verifiedAt: t.expose('verifiedAt', { type: 'DateTime', nullable: true }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', nullable: true }),
    missingSince: t.expose('missingSince', { type: 'DateTime', nullable: true }),
  }),
})

const domainsOfTeams = (database: Context['database'], teamIds: readonly string[]) =>
  readRows<TeamDomain>(
    database.pool,
    'domains_of_teams',
    `SELECT ${domainColumns} FROM team_domains d WHERE d.team_id = ANY ($1::uuid[]) ORDER BY d.domain`,
    [teamIds],
  )

builder.objectFields(TeamType, (t) => ({
  domains: t.field({
    description: `The domains of email addresses that the team has added, of which it can have ${maxDomains}.`,
    type: [TeamDomainType],
    requires: seeDomains,
    complexity: { field: 1, multiplier: maxDomains },
    resolve: async ({ id }, _, context) => {
      const load = async (ids: string[]) => Map.groupBy(await domainsOfTeams(context.database, ids), ({ teamId }) => teamId)
      return (await loadBatched(context, 'domains of teams', id, load)) ?? []
    },
  }),
  domain: t.field({
    description: 'One domain of the team.',
    type: TeamDomainType,
    requires: seeDomains,
    args: { id: t.arg.id({ required: true, description: 'The identifier of the domain.' }) },
    resolve: async (team, args, { database: { prisma } }) => {
      const id = parseIdentifier(args.id, ['TeamDomain'], team)
      const domain = isIdentifier(id) ? await prisma.teamDomain.findUnique({ where: { id, teamId: team.id } }) : null
      if (!domain) throw notFound()
      return domain
    },
  }),
}))
