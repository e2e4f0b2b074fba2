import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { lockWaiters } from '../support/processes/locks.ts'
import { usePool } from '../support/service/database.ts'

const pool = usePool()
const client = randomUUID()
const other = randomUUID()
const user = randomUUID()

const addGrant = (clientId: string) =>
  [
    `INSERT INTO oauth_grants (user_id, oauth_client_id, scopes, expires_at) VALUES ($1, $2, '{}', now() + interval '1 day')`,
    [user, clientId],
  ] as const
const rename = (name: string) => ['UPDATE oauth_clients SET name = $2 WHERE id = $1', [client, name]] as const
const sortNames = async () =>
  (await pool.query('SELECT sort_name FROM oauth_grants ORDER BY sort_name')).rows.map(({ sort_name }) => sort_name)

beforeEach(async () => {
  await pool.query('DELETE FROM oauth_clients')
  await pool.query(
    `INSERT INTO users (id, email, name) SELECT id, id || '@example.com', 'Ada' FROM (SELECT $1::uuid AS id) one ON CONFLICT DO NOTHING`,
    [user],
  )
  await pool.query(
    `INSERT INTO oauth_clients (id, client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes)
     SELECT id, id::text, 'Portal', '{}', false, '{}', '{}', '{}' FROM unnest($1::uuid[]) id`,
    [[client, other]],
  )
})

describe('the name by which grants are sorted', () => {
  test("equals the client's name in lower case, whatever a statement writes", async () => {
    await pool.query(...spread(addGrant(client)))
    expect(await sortNames()).toEqual(['portal'])
    await pool.query(`UPDATE oauth_grants SET sort_name = 'something else'`)
    expect(await sortNames()).toEqual(['portal'])
    await pool.query(...spread(rename('Émile’s Atlas')))
    expect(await sortNames()).toEqual([(await pool.query(`SELECT lower('Émile’s Atlas') AS name`)).rows[0].name])
  })

  test('stays the same for grants of other clients', async () => {
    await pool.query(...spread(addGrant(client)))
    await pool.query(...spread(addGrant(other)))
    await pool.query(...spread(rename('Atlas')))
    expect(await sortNames()).toEqual(['atlas', 'portal'])
  })

  test.each([
    ['a grant is added while a transaction renames the client', rename('Atlas'), addGrant(client)],
    ['the client is renamed while a transaction adds a grant', addGrant(client), rename('Atlas')],
  ])('is new if %s', async (_, firstStatement, secondStatement) => {
    const [first, second] = [await pool.connect(), await pool.connect()]
    await first.query('BEGIN')
    await first.query(...spread(firstStatement))
    const waiting = second.query(...spread(secondStatement))
    await expect.poll(() => lockWaiters(pool)).toBe(1)
    await first.query('COMMIT')
    await waiting
    for (const session of [first, second]) session.release()
    expect(await sortNames()).toEqual(['atlas'])
  })

  test('is refused with the client if that does not exist', async () => {
    const missing = pool.query(...spread(addGrant(randomUUID())))
    await expect(missing).rejects.toMatchObject({ code: '23503', constraint: 'oauth_grants_oauth_client_id_fkey' })
  })
})

const spread = ([text, values]: readonly [string, readonly unknown[]]): [string, unknown[]] => [text, [...values]]
