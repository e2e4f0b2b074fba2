import type pg from 'pg'
import type { InvoiceRow, LineRow, MemberRow, TeamRow } from './statements.ts'

export interface Token {
  id: string
  kind: string
  scopes: string[]
  team_id: string | null
  user_id: string | null
  user_name: string | null
}

export interface Team extends TeamRow {
  id: string
  role: string | null
}

const rename = 'UPDATE teams SET name = $2, updated_at = now() WHERE id = $1 RETURNING *'
const insertAuditEntry = `INSERT INTO audit_entries (at, action, actor_kind, actor_user_id, actor_name, authentication_method,
    credential_id, team_id, subject, before, after, request_id)
  VALUES (now(), 'updateTeam', 'user', $1, $2, 'personal_token', $3, $4, $5, $6, $7, $8)`

/** The statements of *Express by hand*, one per question, prepared by name. */
export function createQueries(pool: pg.Pool) {
  async function rowsOf<Row extends object>(name: string, text: string, ...values: unknown[]): Promise<Row[]> {
    return (await pool.query<Row>({ name, text, values })).rows
  }
  async function countOf(name: string, text: string, ...values: unknown[]): Promise<number> {
    const [row] = await rowsOf<{ count: number }>(name, text, ...values)
    return row?.count ?? 0
  }

  return {
    async findToken(hash: Buffer): Promise<Token | undefined> {
      const [token] = await rowsOf<Token>(
        'token',
        `SELECT c.id, c.kind, c.scopes, c.team_id, u.id AS user_id, u.name AS user_name
         FROM access_tokens c LEFT JOIN users u ON u.id = c.user_id
         WHERE c.hash = $1 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) AND u.disabled_at IS NULL`,
        hash,
      )
      return token
    },
    async findTeam(slug: string, token: Token): Promise<Team | undefined> {
      const [team] = await rowsOf<Team>(
        'team',
        `SELECT t.*, CASE WHEN t.id = $2 THEN 'owner' ELSE m.role END AS role
         FROM teams t LEFT JOIN members m ON m.team_id = t.id AND m.user_id = $3 WHERE t.slug = $1 AND t.deleted_at IS NULL`,
        slug,
        token.team_id,
        token.user_id,
      )
      return team
    },
    findTeams: (token: Token) =>
      rowsOf<TeamRow>(
        'teams',
        `SELECT t.* FROM teams t WHERE (t.id = $1 OR t.id IN (SELECT team_id FROM members WHERE user_id = $2)) AND t.deleted_at IS NULL
         ORDER BY t.slug COLLATE "C"`,
        token.team_id,
        token.user_id,
      ),
    countMembers: (teamId: string) => countOf('count_members', 'SELECT count(*) FROM members WHERE team_id = $1', teamId),
    findMembers: (teamId: string, limit: number, offset: number) =>
      rowsOf<MemberRow>(
        'members',
        `SELECT m.user_id, u.name, u.email, m.role, m.all_applications, m.applications::text[] AS applications, m.joined_at
         FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 ORDER BY m.joined_at, m.user_id LIMIT $2 OFFSET $3`,
        teamId,
        limit,
        offset,
      ),
    countInvoices: (teamId: string) => countOf('count_invoices', 'SELECT count(*) FROM invoices WHERE team_id = $1', teamId),
    findInvoices: (teamId: string, limit: number, offset: number) =>
      rowsOf<InvoiceRow>(
        'invoices',
        'SELECT * FROM invoices WHERE team_id = $1 ORDER BY invoice_date DESC, id DESC LIMIT $2 OFFSET $3',
        teamId,
        limit,
        offset,
      ),
    findLines: (invoiceIds: readonly string[]) =>
      rowsOf<LineRow>('lines', 'SELECT * FROM invoice_lines WHERE invoice_id = ANY($1) ORDER BY invoice_id, position', invoiceIds),

    /** Changes the name and writes the audit entry in one transaction. */
    async renameTeam(id: string, name: string, token: Token, requestId: string): Promise<TeamRow> {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const present = await client.query<TeamRow>({ name: 'lock', text: 'SELECT * FROM teams WHERE id = $1 FOR UPDATE', values: [id] })
        const changed = await client.query<TeamRow>({ name: 'rename', text: rename, values: [id, name] })
        const [before, after] = [present.rows[0], changed.rows[0]]
        if (!before || !after) throw new Error('the team does not exist')
        const values = [token.user_id, token.user_name, token.id, id, after.slug, { name: before.name }, { name }, requestId]
        await client.query({ name: 'audit', text: insertAuditEntry, values })
        await client.query('COMMIT')
        return after
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    },
  }
}
