import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { usePool } from '../support/service/database.ts'

const pool = usePool()

const refusal = { code: '23514', constraint: 'members_last_owner' }

/** Creates a team with one member for each role. */
async function createTeam(...roles: string[]): Promise<{ team: string; users: string[] }> {
  const team = randomUUID()
  const users = roles.map(() => randomUUID())
  await pool.query(`INSERT INTO teams (id, slug, name) VALUES ($1::uuid, $1::text, 'Team')`, [team])
  await pool.query(`INSERT INTO users (id, email, name) SELECT u, u || '@example.com', 'User' FROM unnest($1::uuid[]) u`, [users])
  await pool.query(`INSERT INTO members (team_id, user_id, role) SELECT $1, u, r::"Role" FROM unnest($2::uuid[], $3::text[]) AS m (u, r)`, [
    team,
    users,
    roles,
  ])
  return { team, users }
}

const demote = (team: string, user: string | undefined) =>
  pool.query(`UPDATE members SET role = 'member' WHERE team_id = $1 AND user_id = $2`, [team, user])
const remove = (team: string, user: string | undefined) =>
  pool.query('DELETE FROM members WHERE team_id = $1 AND user_id = $2', [team, user])

async function countOwners(team: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM members WHERE team_id = $1 AND role = 'owner'`, [
    team,
  ])
  return rows[0]?.count ?? 0
}

describe('a team with one owner and one member', () => {
  test('refuses to demote, remove or move the owner, and to delete the owner’s account', async () => {
    const { team, users } = await createTeam('owner', 'member')
    const other = await createTeam('owner')
    await expect(demote(team, users[0])).rejects.toMatchObject(refusal)
    await expect(remove(team, users[0])).rejects.toMatchObject(refusal)
    await expect(pool.query('UPDATE members SET team_id = $1 WHERE user_id = $2', [other.team, users[0]])).rejects.toMatchObject(refusal)
    await expect(pool.query('DELETE FROM users WHERE id = $1', [users[0]])).rejects.toMatchObject(refusal)
    expect(await countOwners(team)).toBe(1)
  })

  test('allows to remove the member, to set the role owner again, and to delete the team', async () => {
    const { team, users } = await createTeam('owner', 'member')
    await pool.query(`UPDATE members SET role = 'owner' WHERE team_id = $1 AND user_id = $2`, [team, users[0]])
    await remove(team, users[1])
    const { rowCount } = await pool.query('DELETE FROM teams WHERE id = $1', [team])
    expect(rowCount).toBe(1)
  })

  test('allows a transaction with a deferred constraint to demote the owner before it promotes the member', async () => {
    const { team, users } = await createTeam('owner', 'member')
    const session = await pool.connect()
    await session.query('BEGIN; SET CONSTRAINTS members_last_owner DEFERRED')
    await session.query(`UPDATE members SET role = 'billing' WHERE team_id = $1 AND user_id = $2`, [team, users[0]])
    await session.query(`UPDATE members SET role = 'owner' WHERE team_id = $1 AND user_id = $2`, [team, users[1]])
    await session.query('COMMIT')
    session.release()
    expect(await countOwners(team)).toBe(1)
  })
})

describe('a team with two owners', () => {
  test('refuses a statement that demotes both', async () => {
    const { team } = await createTeam('owner', 'owner')
    await expect(pool.query(`UPDATE members SET role = 'member' WHERE team_id = $1`, [team])).rejects.toMatchObject(refusal)
  })

  test('accepts exactly one of two simultaneous demotions or removals of both owners, in each of 50 rounds', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, round) => {
        const { team, users } = await createTeam('owner', 'owner')
        const change = round % 2 === 0 ? demote : remove
        const results = await Promise.allSettled([change(team, users[0]), change(team, users[1])])
        const refused = results.filter((result) => result.status === 'rejected')
        for (const { reason } of refused) expect(reason).toMatchObject(refusal)
        return [refused.length, await countOwners(team)]
      }),
    )
    expect(outcomes).toEqual(Array.from({ length: 50 }, () => [1, 1]))
  })
})

describe('a team with an owner whose account is disabled', () => {
  const createTeamWithDisabledOwner = async (...others: string[]) => {
    const created = await createTeam('owner', ...others)
    await pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [created.users[0]])
    return created
  }

  test('refuses to demote or remove the only owner with an enabled account, and to delete that account', async () => {
    const { team, users } = await createTeamWithDisabledOwner('owner')
    await expect(demote(team, users[1])).rejects.toMatchObject(refusal)
    await expect(remove(team, users[1])).rejects.toMatchObject(refusal)
    await expect(pool.query('DELETE FROM users WHERE id = $1', [users[1]])).rejects.toMatchObject(refusal)
    await remove(team, users[0])
    expect(await countOwners(team)).toBe(1)
  })

  test('allows to write the role owner again although no owner has an enabled account', async () => {
    const { team, users } = await createTeamWithDisabledOwner()
    await pool.query(`UPDATE members SET role = 'owner' WHERE team_id = $1 AND user_id = $2`, [team, users[0]])
    await expect(demote(team, users[0])).rejects.toMatchObject(refusal)
  })

  test('is not restored while no owner has an enabled account', async () => {
    const { team, users } = await createTeamWithDisabledOwner()
    await pool.query('UPDATE teams SET deleted_at = now() WHERE id = $1', [team])
    const restore = () => pool.query('UPDATE teams SET deleted_at = NULL WHERE id = $1', [team])
    await expect(restore()).rejects.toMatchObject(refusal)
    await pool.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [users[0]])
    await restore()
  })
})
