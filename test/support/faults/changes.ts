import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { openClient } from '../../../prisma/connection/database.ts'
import { withSession } from '../../../src/database/connection.ts'
import { createOwnedTeam, createTeam, join } from '../data/team.ts'
import type { Change } from './write-load.ts'

/** Teams whose owner has a token. They are changed in turn. */
export interface Teams {
  slugs: readonly string[]
  token: string
}

/** Creates teams, over a connection of its own. */
export async function createTeams(connection: pg.PoolConfig, count = 1): Promise<Teams> {
  const database = openClient(connection)
  try {
    const { team, owner, token } = await createOwnedTeam(database)
    const slugs = [team.slug]
    while (slugs.length < count) {
      const next = await createTeam(database)
      await join(database, next, owner, 'owner')
      slugs.push(next.slug)
    }
    return { slugs, token }
  } finally {
    await database.close()
  }
}

/** Renames a team. A request that fails is not repeated: whether its change was made is unknown. */
export const renameTeam =
  (origins: string | readonly string[], { slugs, token }: Teams): Change =>
  (name, index) =>
    fetch(`${of([origins].flat(), index)}/api/v1/teams/${of(slugs, index)}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    }).catch(() => null)

/** Invites an address. Repeats a request that fails until it succeeds, by default under the same Idempotency-Key. */
export const invite =
  (origin: string, { slugs, token }: Teams, { hasKey = true } = {}): Change =>
  async (value, index) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...(hasKey && { 'Idempotency-Key': value }) }
    for (;;) {
      const response = await fetch(`${origin}/api/v1/teams/${of(slugs, index)}/invitations`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ email: `${value}@example.com`, role: 'member' }),
      }).catch(() => null)
      if (response && response.status !== 503) return response
      await delay(10)
    }
  }

/** Reads the values of both kinds of changes from the audit log, each as often as it was written. */
export async function storedValues(connection: pg.ClientConfig): Promise<string[]> {
  const { rows } = await withSession(connection, (session) =>
    session.query<{ value: string }>(
      `SELECT CASE action WHEN 'updateTeam' THEN after->>'name' ELSE split_part(subject_name, '@', 1) END AS value
         FROM audit_entries WHERE action IN ('updateTeam', 'inviteMember')`,
    ),
  )
  return rows.map(({ value }) => value)
}

const of = <Value>(values: readonly Value[], index: number): Value => {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('there is no value')
  return value
}
