import { expect } from 'vitest'
import type pg from 'pg'

/** Fails unless the kept name and address of every member are those of the user. Reads one snapshot, so writers may be active. */
export async function expectExactPersons(session: pg.Pool | pg.ClientBase): Promise<void> {
  const { rows } = await session.query(
    'SELECT m.*, u.name, u.email FROM members m JOIN users u ON u.id = m.user_id WHERE m.person <> lower(u.name) || chr(10) || u.email',
  )
  expect(rows).toEqual([])
}
