// The SQL of the hand-written contestants, two statements per request at most: each is optimized for one request and serves
// no other purpose. *Express by hand* has statements of its own, see express-queries.ts.

export interface Credential {
  id: string
  scopes: string[]
  user_id: string | null
  user_name: string | null
  role: string | null
  team_id: string | null
}

const liveCredential = `c.hash = $1 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) AND u.disabled_at IS NULL`
const credentialColumns =
  "c.id, c.scopes, u.id AS user_id, u.name AS user_name, t.id AS team_id, CASE WHEN c.kind = 'team' THEN 'owner' ELSE m.role END AS role"
const credentialTables = `access_tokens c
    LEFT JOIN users u ON u.id = c.user_id
    LEFT JOIN teams t ON t.slug = $2 AND t.deleted_at IS NULL
    LEFT JOIN members m ON m.team_id = t.id AND m.user_id = c.user_id`

/** Reads the credential, the team of the URL and the role of the user in that team in one statement. */
export const credential = {
  name: 'credential',
  text: `SELECT ${credentialColumns} FROM ${credentialTables} WHERE ${liveCredential} AND (c.team_id IS NULL OR c.team_id = t.id)`,
}

export interface TeamRow {
  slug: string
  name: string
  timezone: string | null
  gravatar_email: string | null
  created_at: Date | string
  updated_at: Date | string
}

const teamColumns = 't.slug, t.name, t.timezone, t.gravatar_email, t.created_at, t.updated_at'

/** The same with the members of the team. */
export const credentialAndTeam = {
  name: 'credential_and_team',
  text: `SELECT ${credentialColumns}, ${teamColumns} FROM ${credentialTables} WHERE ${liveCredential} AND (c.team_id IS NULL OR c.team_id = t.id)`,
}

/** Reads the credential and every team that it can access in one statement. Without a team, `slug` is null. */
export const teamsOfCredential = {
  name: 'teams_of_credential',
  text: `SELECT c.scopes, c.kind, ${teamColumns}
    FROM access_tokens c
    LEFT JOIN users u ON u.id = c.user_id
    LEFT JOIN members m ON m.user_id = c.user_id
    LEFT JOIN teams t ON t.id = coalesce(c.team_id, m.team_id) AND t.deleted_at IS NULL
    WHERE ${liveCredential} ORDER BY t.slug COLLATE "C"`,
}

/** Changes the name of a team and writes the audit entry. */
export const renameTeam = {
  name: 'rename_team',
  text: `WITH present AS (SELECT id, name FROM teams WHERE id = $1 FOR UPDATE),
      changed AS (UPDATE teams t SET name = $2, updated_at = now() FROM present p WHERE t.id = p.id
        RETURNING ${teamColumns}, t.id, p.name AS previous),
      audit AS (INSERT INTO audit_entries (at, action, actor_kind, actor_user_id, actor_name, authentication_method, credential_id,
          team_id, subject, before, after, request_id)
        SELECT now(), 'updateTeam', 'user', $3, $4, 'personal_token', $5, id, slug, json_build_object('name', previous),
          json_build_object('name', $2::text), $6 FROM changed)
    SELECT ${teamColumns} FROM changed t`,
}

export interface MemberRow {
  total: number
  user_id: string
  name: string
  email: string
  role: string
  all_applications: boolean
  applications: string[]
  joined_at: Date | string
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
  paid_at: Date | string | null
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
