import { beforeAll, describe, expect, inject, test } from 'vitest'
import { rowsRead } from '../../support/data/rows-read.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

// The tokens of a team and the grants for it alone. indexes.test.ts tests the lists with the tokens and grants of members.

const service = useService()
const { pool } = service.database
let owned: OwnedTeam

beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
  await pool.query(
    `INSERT INTO users (email, name) SELECT 'user-' || n || '@example.com', CASE WHEN n % 1000 = 0 THEN 'Lovelace ' ELSE 'User ' END || n
       FROM generate_series(1, 3000) n;
     INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes)
       VALUES ('portal', 'Portal', '{}', false, '{}', '{}', '{}')`,
  )
  await pool.query(
    `INSERT INTO access_tokens (kind, name, hash, team_id, created_by_id, scopes)
     SELECT 'team', 'CI', sha256(email::bytea), $1, id, '{acct:team:read}' FROM users WHERE email LIKE 'user-%'`,
    [owned.team.id],
  )
  await pool.query(
    `INSERT INTO oauth_grants (user_id, oauth_client_id, team_id, scopes, expires_at)
     SELECT u.id, c.id, $1, '{acct:team:read}', '2040-01-01Z' FROM users u, oauth_clients c WHERE u.email LIKE 'user-%'`,
    [owned.team.id],
  )
  await pool.query('VACUUM ANALYZE')
})

/** The largest number of rows that a statement reads for a field of the team. */
async function mostRowsRead(field: string): Promise<number> {
  service.executions.length = 0
  const { data, errors } = await graphql(service, owned.token, `{ team(slug: "${owned.team.slug}") { list: ${field} } }`)
  expect(errors).toEqual([])
  if (field.endsWith('{ totalCount }')) expect(data.team.list.totalCount).toBeGreaterThan(0)
  const counts: number[] = []
  for (const { text, values } of service.executions) if (/"inAll"|"keyId"/.test(text)) counts.push(await rowsRead(pool, text, values))
  return Math.max(...counts)
}

// PostgreSQL 15 estimates other costs, as in indexes.test.ts.
describe.runIf(inject('testCluster').isEmbedded)('PostgreSQL reads few of the tokens of a team and of the grants for it', () => {
  test.each(['access', 'grants'])('for the order and the filter by person of %s', async (list) => {
    const read: [string, number][] = []
    for (const direction of ['ASC', 'DESC']) {
      const args = `orderBy: { field: PERSON, direction: ${direction} }`
      read.push([`page by ${args}`, await mostRowsRead(`${list}(${args}) { nodes { __typename } }`)])
      const { data } = await graphql(
        service,
        owned.token,
        `{ team(slug: "${owned.team.slug}") { ${list}Connection(first: 60, ${args}) { pageInfo { endCursor } } } }`,
      )
      const after = data.team[`${list}Connection`].pageInfo.endCursor
      read.push([`deep by ${args}`, await mostRowsRead(`${list}Connection(after: "${after}", ${args}) { nodes { __typename } }`)])
    }
    read.push(['found', await mostRowsRead(`${list}(person: "LOVELACE") { nodes { __typename } }`)])
    read.push(['number of found', await mostRowsRead(`${list}Connection(person: "LOVELACE") { totalCount }`)])
    expect(read.filter(([, rows]) => rows > 400)).toEqual([])
  })
})
