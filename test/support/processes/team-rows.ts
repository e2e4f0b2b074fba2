import type pg from 'pg'
import { withSession } from '../../../src/database/connection.ts'

/** Adds a team without members, on a connection of its own. */
export const addTeam = (config: pg.ClientConfig, slug: string) =>
  withSession(config, (session) => session.query(`INSERT INTO teams (slug, name) VALUES ($1, 'Team')`, [slug]))

/** Returns the slugs of all teams in alphabetical order. */
export async function teamSlugs(config: pg.ClientConfig): Promise<string[]> {
  const { rows } = await withSession(config, (session) => session.query<{ slug: string }>('SELECT slug FROM teams ORDER BY slug'))
  return rows.map(({ slug }) => slug)
}
