import type { MeasuredService } from '../processes/measured/measured-service.ts'
import { createOwnedTeam, teamToken } from '../data/team.ts'
import { scim } from './directory.ts'

/** Half of what a group can have: the statement that stores them must end within two seconds, on a busy machine too. */
const memberCount = 10_000

/**
 * Creates a team with 10,000 members of its directory, whose names and email addresses have the maximum length. Of these, 2,000 are in 11 groups, one
 * of which has a role, and 200 are in 99 other groups.
 */
export async function createLargeDirectory(service: MeasuredService) {
  const { database } = service
  const { team } = await createOwnedTeam(database)
  const token = await teamToken(database, team, { scopes: ['acct:team:scim'] })
  await database.prisma.groupRole.create({ data: { teamId: team.id, group: 'Everybody', role: 'billing' } })
  const emails = `(SELECT jsonb_agg(jsonb_build_object('value', repeat('a', 240) || e || '@x.example', 'type', repeat('ж', 255), 'display', repeat('ж', 255), 'primary', false)) FROM generate_series(1, 20) e)`
  const { rows } = await database.pool.query<{ id: string }>(
    `WITH users AS (INSERT INTO users (id, email, name, email_verified)
       SELECT gen_random_uuid(), $2::text || n || '@x.example', repeat('ж', 200), true FROM generate_series(1, $1::int) n RETURNING id),
     members AS (INSERT INTO members (team_id, user_id, role, all_applications, applications, joined_at)
       SELECT $3, id, 'member', true, '{}', now() FROM users)
     INSERT INTO scim_users (team_id, user_id, account_id, user_name, attributes, created_at, updated_at)
     SELECT $3, id, id, id::text, jsonb_build_object('displayName', repeat('ж', 255), 'name', NULL, 'emails', CASE WHEN n <= 200 THEN ${emails} ELSE '[]' END), now(), now()
     FROM (SELECT id, row_number() OVER () AS n FROM users) u RETURNING user_id AS id`,
    [memberCount, team.slug, team.id],
  )
  await database.pool.query(
    `WITH groups AS (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 110) n),
     stored AS (INSERT INTO scim_groups (id, team_id, display_name, created_at, updated_at)
       SELECT id, $1::uuid, CASE n WHEN 1 THEN 'Everybody' ELSE 'Group ' || n END, now() - interval '1 day' + n * interval '1 second', now() FROM groups)
     INSERT INTO scim_group_members (group_id, team_id, user_id)
     SELECT g.id, $1, u.user_id FROM groups g, (SELECT user_id, row_number() OVER (ORDER BY user_id) AS position FROM scim_users WHERE team_id = $1) u
     WHERE u.position <= CASE WHEN g.n <= 11 THEN 2000 ELSE 200 END`,
    [team.id],
  )
  await database.pool.query('ANALYZE')
  const send = (method: string, path: string, body?: unknown) => scim(service, token, method, path, body)
  return { team, userIds: rows.map(({ id }) => id), send }
}
