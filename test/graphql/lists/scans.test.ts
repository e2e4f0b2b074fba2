import { beforeAll, describe, expect, inject, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

// The members of a team have neither tokens and grants nor any activity, although all other users have: PostgreSQL expects that one in 21
// belongs to the team.

const service = useService()
const { pool } = service.database
let quiet: OwnedTeam

const scopes = `'{acct:team:read}'::text[]`
const instants = `'2040-01-01Z'::timestamptz + n * interval '1 minute', '2026-01-01Z'::timestamptz + n * interval '1 minute', '2026-06-01Z'::timestamptz + n * interval '1 minute'`

async function addUsers(): Promise<void> {
  quiet = await createOwnedTeam(service.database)
  await pool.query(
    `WITH added AS (INSERT INTO users (email, name) SELECT 'quiet-' || n || '@example.com', 'Quiet ' || n FROM generate_series(1, 1000) n RETURNING id)
     INSERT INTO members (team_id, user_id, role) SELECT $1, id, 'member' FROM added`,
    [quiet.team.id],
  )
  await pool.query(
    `INSERT INTO users (email, name, last_active_at)
       SELECT 'user-' || n || '@example.com', 'User ' || n, '2026-06-01Z'::timestamptz + n * interval '1 minute' FROM generate_series(1, 20000) n;
     INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes)
       VALUES ('portal', 'Portal', '{}', false, '{}', '{}', '{}');
     CREATE TEMP TABLE numbered AS SELECT id, split_part(name, ' ', 2)::int AS n FROM users WHERE name LIKE 'User %';
     INSERT INTO access_tokens (kind, name, hash, user_id, scopes, expires_at, created_at, last_used_at)
       SELECT 'personal', 'laptop ' || n, sha256(n::text::bytea), id, ${scopes}, ${instants} FROM numbered;
     INSERT INTO oauth_grants (user_id, oauth_client_id, scopes, expires_at, created_at, last_used_at)
       SELECT n.id, c.id, ${scopes}, ${instants} FROM numbered n, oauth_clients c;
     DROP TABLE numbered`,
  )
  await pool.query('VACUUM ANALYZE')
}

/** The number of 8 kB blocks that a statement reads. */
async function blocksRead(text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values])
  const { Plan } = rows[0]['QUERY PLAN'][0]
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
}

describe.runIf(isFull && inject('testCluster').isEmbedded)('a page of a team whose members have none of what all other users have', () => {
  beforeAll(addUsers, 60_000)

  test.each([
    ['access', 'CREATED'],
    ['access', 'EXPIRES'],
    ['access', 'LAST_USED'],
    ['personalTokens', 'NAME'],
    ['grants', 'CREATED'],
    ['people', 'LAST_ACTIVE'],
  ])('does not search all of it: %s by %s', async (list, order) => {
    for (const direction of ['ASC', 'DESC']) {
      service.executions.length = 0
      const args = `orderBy: { field: ${order}, direction: ${direction} }`
      const lists = `page: ${list}(${args}) { nodes { __typename } } first: ${list}Connection(${args}) { nodes { __typename } }`
      const { errors } = await graphql(service, quiet.token, `{ team(slug: "${quiet.team.slug}") { ${lists} } }`)
      expect(errors).toEqual([])
      const pages = service.executions.filter(({ text }) => text.includes('"keyId"'))
      expect(pages).toHaveLength(2)
      for (const { text, values } of pages) expect(await blocksRead(text, values)).toBeLessThan(20_000)
    }
  })
})
