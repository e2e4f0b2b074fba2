import pg from 'pg'

// The yardstick's SQL, as someone would write it who knows both PostgreSQL and these three lists, and nothing else.

export interface Credential {
  scopes: string[]
  team_id: string | null
  role: string | null
}

/** The credential and, in the same statement, the team named and the person's role in it. */
export const credential = {
  name: 'credential',
  text: `SELECT c.scopes, t.id AS team_id, CASE WHEN c.kind = 'team' THEN 'owner' ELSE m.role END AS role
    FROM access_tokens c
    LEFT JOIN users u ON u.id = c.user_id
    LEFT JOIN teams t ON t.slug = $2
    LEFT JOIN members m ON m.team_id = t.id AND m.user_id = c.user_id
    WHERE c.hash = $1 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) AND u.disabled_at IS NULL
      AND (c.team_id IS NULL OR c.team_id = t.id)`,
}

export interface TeamRow {
  scopes: string[]
  kind: string
  slug: string | null
  name: string
  timezone: string | null
  gravatar_email: string | null
  created_at: Date
  updated_at: Date
}

/** The credential and every team it reaches, the whole list in one statement. */
export const teamsOfCredential = {
  name: 'teams_of_credential',
  text: `SELECT c.scopes, c.kind, t.slug, t.name, t.timezone, t.gravatar_email, t.created_at, t.updated_at
    FROM access_tokens c
    LEFT JOIN users u ON u.id = c.user_id
    LEFT JOIN members m ON m.user_id = c.user_id
    LEFT JOIN teams t ON t.id = coalesce(c.team_id, m.team_id)
    WHERE c.hash = $1 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) AND u.disabled_at IS NULL
    ORDER BY t.slug COLLATE "C"`,
}

export interface MemberRow {
  total: number
  user_id: string
  name: string
  email: string
  role: string
  all_applications: boolean
  applications: string[]
  joined_at: Date
}

export const membersPage = {
  name: 'members_page',
  text: `SELECT (SELECT count(*) FROM members WHERE team_id = $1) AS total, m.user_id, u.name, u.email, m.role, m.all_applications,
      m.applications::text[] AS applications, m.joined_at
    FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 ORDER BY m.joined_at, m.user_id LIMIT $2 OFFSET $3`,
}

export interface InvoiceRow {
  all: number
  id: string
  number: string
  application: string | null
  status: string
  currency: string
  subtotal: number
  tax: number
  amount_paid: number
  invoice_date: string
  due_date: string | null
  paid_at: Date | null
  period_start: string | null
  period_end: string | null
}

export const invoicesPage = {
  name: 'invoices_page',
  text: `SELECT (SELECT count(*) FROM invoices WHERE team_id = $1) AS all, id, number, application, status, currency, subtotal, tax,
      amount_paid, invoice_date, due_date, paid_at, period_start, period_end
    FROM invoices WHERE team_id = $1 ORDER BY invoice_date DESC, id DESC LIMIT $2 OFFSET $3`,
}

export interface LineRow {
  id: string
  invoice_id: string
  application: string | null
  description: string
  quantity: number
  unit_amount: number
  period_start: string | null
  period_end: string | null
}

export const invoiceLines = {
  name: 'invoice_lines',
  text: `SELECT id, invoice_id, application, description, quantity, unit_amount, period_start, period_end
    FROM invoice_lines WHERE invoice_id = ANY($1) ORDER BY invoice_id, position`,
}

/** A pool as the service's: same size, same sessions. Dates stay text and 64-bit integers become numbers. */
export function openPool(connectionString: string, max: number): pg.Pool {
  pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  return new pg.Pool({ connectionString, max, options: '-c timezone=UTC' })
}
