import { existsSync } from 'node:fs'
import path from 'node:path'
import { readConfig } from '../../config/settings.ts'
import { withSession } from '../../database/connection.ts'
import { openDatabase } from '../../database/open.ts'
import { queueSchema } from '../../jobs/queue.ts'
import { mailQueue } from '../../mail/mail-records.ts'
import type { StoredKind } from '../command.ts'
import { printable } from '../terminal/output.ts'
import { currentTerminal } from '../terminal/terminal.ts'
import type { Candidate } from './candidates.ts'

const maxKeys = 100

/** Statements that select keys that begin with $1, with a text that distinguishes the objects. */
const statements: Record<StoredKind, string> = {
  team: 'SELECT slug AS word, name AS about FROM teams WHERE deleted_at IS NULL AND starts_with(slug, $1) ORDER BY slug',
  deletedTeam: 'SELECT slug AS word, name AS about FROM teams WHERE deleted_at IS NOT NULL AND starts_with(slug, $1) ORDER BY slug',
  user: 'SELECT email AS word, name AS about FROM users WHERE starts_with(email, $1) ORDER BY email',
  client: 'SELECT client_id AS word, name AS about FROM oauth_clients WHERE starts_with(client_id, $1) ORDER BY client_id',
  token: `SELECT t.id::text AS word, concat_ws(', ', t.name, '…' || t.last_four, coalesce(r.slug, u.email)) AS about
    FROM access_tokens t LEFT JOIN teams r ON r.id = t.team_id LEFT JOIN users u ON u.id = t.user_id
    WHERE t.revoked_at IS NULL AND starts_with(t.id::text, $1) ORDER BY t.created_at DESC`,
  webhook: `SELECT w.id::text AS word, concat_ws(', ', w.url, coalesce(t.slug, 'all teams')) AS about
    FROM webhooks w LEFT JOIN teams t ON t.id = w.team_id WHERE starts_with(w.id::text, $1) ORDER BY w.created_at DESC`,
  identity: `SELECT w.id::text AS word, concat_ws(', ', w.name, t.slug) AS about
    FROM workload_identities w JOIN teams t ON t.id = w.team_id WHERE starts_with(w.id::text, $1) ORDER BY w.created_at DESC`,
  provider: `SELECT p.id::text AS word, concat_ws(', ', p.name, t.slug) AS about
    FROM identity_providers p JOIN teams t ON t.id = p.team_id WHERE starts_with(p.id::text, $1) ORDER BY p.created_at DESC`,
  mail: `SELECT id::text AS word, concat_ws(', ', data->>'kind', state::text) AS about FROM ${queueSchema}.job
    WHERE name = '${mailQueue}' AND state <> 'completed' AND starts_with(id::text, $1) ORDER BY created_on DESC`,
}

/** Reads the keys of stored objects that begin with `prefix`, at most 100. An embedded database that does not exist is not created. */
export async function readStoredKeys(kind: StoredKind, prefix: string): Promise<Candidate[]> {
  const config = readConfig(currentTerminal().settings)
  if (config.databaseUrl === undefined && !existsSync(path.join(config.dataDir, 'database', 'cluster'))) return []
  const silent = { info: () => {}, warn: () => {} }
  const opened = await openDatabase(config, 'command', silent, { migrate: false })
  try {
    return await withSession(opened.poolConfig, async (session) => {
      const { rows } = await session.query<Candidate>(`${statements[kind]} LIMIT ${maxKeys}`, [prefix])
      return rows.map(({ word, about }) => ({ word, about: printable(about) }))
    })
  } finally {
    await opened.close()
  }
}
