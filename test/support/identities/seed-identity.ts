import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { presets } from '../../../schema/workload-identities/presets.ts'
import type { TestService } from '../service/service.ts'

/** Adds a workload identity whose name and environment are `name`, and returns its identifier. */
export async function seedIdentity({ database }: Pick<TestService, 'database'>, team: Team, creator: User, name: string): Promise<string> {
  const { issuer, listConditions: conditionsOf } = presets.github
  const conditions = conditionsOf({ projectId: '74', environment: name }).map(({ claim, value }) => ({ claim, value }))
  const data = { teamId: team.id, name, issuer, conditions, scopes: ['teams', 'acct:team:write'], createdById: creator.id }
  return (await database.prisma.workloadIdentity.create({ data })).id
}
