import type { ClientBase } from 'pg'
import { hashPassword, isCorrectPassword } from '../../../../schema/accounts/passwords/password-hash.ts'
import { isPasswordHash } from '../../records/types/user-record.ts'
import type { Entry } from '../chunk.ts'

/** Replaces the plain text passwords of user records by hashes. */
export async function hashPasswords(session: ClientBase, entries: readonly Entry<'user'>[]): Promise<Entry<'user'>[]> {
  const emails = entries.flatMap(({ record }) => (record.password === undefined ? [] : [record.email]))
  const stored = await storedHashes(session, emails)
  // Hashing runs in the thread pool, so a few passwords are hashed at the same time.
  return Promise.all(
    entries.map(async ({ line, record }) => {
      if (record.password === undefined) return { line, record }
      return { line, record: { ...record, password: await hashToStore(record.password, stored.get(record.email)) } }
    }),
  )
}

async function storedHashes(session: ClientBase, emails: readonly string[]): Promise<Map<string, string | null>> {
  if (emails.length === 0) return new Map()
  const { rows } = await session.query<{ email: string; hash: string | null }>(
    'SELECT email, password_hash AS hash FROM users WHERE email = ANY ($1)',
    [emails],
  )
  return new Map(rows.map(({ email, hash }) => [email, hash]))
}

/** Returns the stored hash if it matches, because a new salt would change the row on every import. */
async function hashToStore(password: string, stored: string | null | undefined): Promise<string> {
  if (isPasswordHash(password)) return password
  if (stored && (await isCorrectPassword(stored, password))) return stored
  return hashPassword(password)
}
