import { memberBody } from './bodies.ts'
import { invalid } from './checks.ts'
import type { MemberRow } from './statements.ts'

/** The one operation that the hand-written contestants answer at `POST /graphql`: the page of members. */
export const membersDocument = `query Members($team: String!) {
  team(slug: $team) {
    members {
      total
      nodes { id: userId name email role accessibleAppIds avatarUrl joinedAt }
    }
  }
}`

/** Returns the team in the variables. Refuses every other document. */
export function requestedTeam(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('query' in body) || body.query !== membersDocument) throw invalid()
  const variables = 'variables' in body ? body.variables : undefined
  const team = typeof variables === 'object' && variables !== null && 'team' in variables ? variables.team : undefined
  if (typeof team !== 'string') throw invalid()
  return team
}

export const graphqlBody = (rows: readonly MemberRow[], total = rows[0]?.total ?? 0) => ({
  data: { team: { members: { total, nodes: rows.map(nodeOf) } } },
  extensions: { cost: { requested: 352, limit: 50_000, remaining: 49_648 } },
})

function nodeOf(row: MemberRow) {
  const { id, name, email, role, accessible_app_ids, avatar_url, joined_at } = memberBody(row)
  const accessibleAppIds = accessible_app_ids?.map((each) => each.toUpperCase()) ?? null
  return { id, name, email, role: role.toUpperCase(), accessibleAppIds, avatarUrl: avatar_url, joinedAt: joined_at }
}
