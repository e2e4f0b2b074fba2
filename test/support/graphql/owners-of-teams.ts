import { beforeAll, expect } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { createTeam, createUser, join, personalToken } from '../data/team.ts'
import { graphql } from '../http/graphql.ts'
import type { TestService } from '../service/service.ts'

/** Personal tokens of an owner of one team and of an owner of 50, for tests that lists of many teams are read together. */
export function useOwnersOfTeams(service: TestService, addRows: (team: Team, index: number) => Promise<unknown>) {
  const tokens = { one: '', fifty: '' }
  beforeAll(async () => {
    tokens.one = await ownerOf(1)
    tokens.fifty = await ownerOf(50)
  })

  async function ownerOf(count: number): Promise<string> {
    const owner = await createUser(service.database)
    for (let index = 0; index < count; index++) {
      const team = await createTeam(service.database)
      await join(service.database, team, owner, 'owner')
      await addRows(team, index)
    }
    return personalToken(service.database, owner)
  }

  /** The statements of a query, except those that authenticate and record the use of the token. */
  async function statementsOf(token: string, query: string): Promise<string[]> {
    service.statements.length = 0
    const { errors } = await graphql(service, token, query)
    expect(errors).toEqual([])
    return service.statements.filter((text) => !text.includes('last_used_at = u.at') && !text.includes('json_build_array'))
  }

  return {
    /** The statements of a selection in the list of teams of one team. */
    statementsOf: (selection: string) => statementsOf(tokens.one, `{ teams { slug ${selection} } }`),

    /** Expects this number of statements for a selection, for one team and for 50. */
    async expectStatements(selection: string, count: number): Promise<void> {
      for (const [teams, token] of [
        [1, tokens.one],
        [50, tokens.fifty],
      ] as const)
        expect([teams, await statementsOf(token, `{ teams { slug ${selection} } }`)]).toEqual([
          teams,
          Array(count).fill(expect.any(String)),
        ])
    },

    /** Expects the same rows in the list of 50 teams as in each team alone. */
    async expectSameRowsAlone(selection: string): Promise<void> {
      const { data, errors } = await graphql(service, tokens.fifty, `{ teams { slug ${selection} } }`)
      expect(errors).toEqual([])
      expect(data.teams).toHaveLength(50)
      for (const team of [data.teams[0], data.teams[24], data.teams[49]]) {
        const alone = await graphql(service, tokens.fifty, `{ team(slug: "${team.slug}") { slug ${selection} } }`)
        expect(alone.data.team).toEqual(team)
      }
    },
  }
}
