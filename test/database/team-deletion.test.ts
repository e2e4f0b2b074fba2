import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { usePool } from '../support/service/database.ts'

// The rules about deleted teams that the database enforces for every writer.

const pool = usePool()

const refusal = { code: '23514', constraint: 'members_last_owner' }

/** Creates a team with one owner; the team and the user have the same identifier. */
async function createTeam(): Promise<string> {
  const id = randomUUID()
  await pool.query(`INSERT INTO teams (id, slug, name) VALUES ($1::uuid, $1::text, 'Team')`, [id])
  await pool.query(`INSERT INTO users (id, email, name) VALUES ($1::uuid, $1 || '@example.com', 'User')`, [id])
  await pool.query(`INSERT INTO members (team_id, user_id, role) VALUES ($1, $1, 'owner')`, [id])
  return id
}
const remove = (id: string) => pool.query('UPDATE teams SET deleted_at = now() WHERE id = $1', [id])
const restore = (id: string) => pool.query('UPDATE teams SET deleted_at = NULL WHERE id = $1', [id])

test('the last owner of a deleted team can be removed, demoted and deleted as a user', async () => {
  for (const statement of [
    'DELETE FROM members WHERE team_id = $1',
    `UPDATE members SET role = 'member' WHERE team_id = $1`,
    'DELETE FROM users WHERE id = $1',
  ]) {
    const id = await createTeam()
    await expect(pool.query(statement, [id])).rejects.toMatchObject(refusal)
    await remove(id)
    expect((await pool.query(statement, [id])).rowCount).toBe(1)
  }
})

test('a deleted team without an owner cannot be restored', async () => {
  const id = await createTeam()
  await remove(id)
  await pool.query('DELETE FROM users WHERE id = $1', [id])
  await expect(restore(id)).rejects.toMatchObject(refusal)
})

test('a restoration and the deletion of the last owner at the same time leave the team with an owner or deleted', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await createTeam()
    await remove(id)
    await Promise.allSettled([restore(id), pool.query('DELETE FROM users WHERE id = $1', [id])])
    const { rows } = await pool.query(
      'SELECT deleted_at IS NOT NULL AS "isDeleted", EXISTS (SELECT FROM members WHERE team_id = id) AS "hasOwner" FROM teams WHERE id = $1',
      [id],
    )
    expect(rows[0].isDeleted || rows[0].hasOwner).toBe(true)
  }
})

test('deleting a team revokes its pending invitations and no others', async () => {
  const [id, other] = [await createTeam(), await createTeam()]
  for (const [team, status] of [
    [id, 'pending'],
    [id, 'declined'],
    [other, 'pending'],
  ])
    await pool.query(
      `INSERT INTO invitations (team_id, email, role, status, token_hash, nonce, sent_at, expires_at)
       VALUES ($1, 'guest@example.com', 'member', $2, sha256(gen_random_uuid()::text::bytea), '', now(), now())`,
      [team, status],
    )
  await remove(id)
  await restore(id)
  const { rows } = await pool.query(
    'SELECT team_id = $1 AS "isOwn", status, answered_at IS NULL AS "isOpen" FROM invitations ORDER BY 1, 2',
    [id],
  )
  expect(rows).toEqual([
    { isOwn: false, status: 'pending', isOpen: true },
    { isOwn: true, status: 'declined', isOpen: true },
    { isOwn: true, status: 'revoked', isOpen: false },
  ])
})
