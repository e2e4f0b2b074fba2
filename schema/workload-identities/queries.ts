import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier } from '../core/validation.ts'
import { loadBatched } from '../lists/batch.ts'
import { TeamType } from '../teams/team.ts'
import { operatorOnly } from '../core/requires.ts'
import { seeTeamTokens } from '../tokens/rules.ts'
import { identityParts, WorkloadIdentityType } from './identity.ts'
import { findOwnIdentity, identitiesOfTeams } from './own-identity.ts'
import { maxIdentities } from './rules.ts'

builder.objectFields(TeamType, (t) => ({
  workloadIdentities: t.field({
    description: `The workload identities of the team, of which it can have ${maxIdentities}.`,
    type: [WorkloadIdentityType],
    requires: seeTeamTokens,
    complexity: { field: 1, multiplier: maxIdentities },
    resolve: async ({ id }, _, context) => {
      const load = async (ids: string[]) => Map.groupBy(await identitiesOfTeams(context.database, ids), ({ teamId }) => teamId)
      return (await loadBatched(context, 'workload identities of teams', id, load)) ?? []
    },
  }),
  workloadIdentity: t.field({
    description: 'One workload identity of the team.',
    type: WorkloadIdentityType,
    requires: seeTeamTokens,
    args: { id: t.arg.id({ required: true, description: 'The identifier of the workload identity.' }) },
    resolve: async (team, args, { database: { prisma } }) => {
      const id = parseIdentifier(args.id, ['WorkloadIdentity'], team)
      const identity = isIdentifier(id)
        ? await prisma.workloadIdentity.findUnique({ where: { id, teamId: team.id }, include: identityParts })
        : null
      if (!identity) throw notFound()
      return identity
    },
  }),
}))

builder.queryField('workloadIdentity', (t) =>
  t.field({
    description: 'A workload identity of any team.',
    type: WorkloadIdentityType,
    requires: operatorOnly,
    args: { id: t.arg.id({ required: true, description: 'The identifier of the workload identity.' }) },
    resolve: (_, { id }, context) => findOwnIdentity(context, id, operatorOnly),
  }),
)
