import { invoicesNeeds, membersNeeds, renameNeeds, teamNeeds } from './checks.ts'
import type { Needs } from './checks.ts'

// The SQL of *limit-rows*: one statement for each request, which finds the credential and the rows, and a second one for the lines of
// invoices. Each is optimized for one request and serves no other purpose. *Express by hand* has statements of its own (express-queries.ts).

/** The columns of every row: whether the credential has the rights that the request needs. Without a row there is no credential. */
export interface Credential {
  allowed: boolean
}

const liveCredential = `c.hash = $1 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) AND u.disabled_at IS NULL`

/** The credential with the team of the URL, if the user is a member with one of the roles and the credential has the scope. */
const credential = ({ scope, roles = ['owner', 'member', 'billing'] }: Needs) => `SELECT c.id, u.id AS user_id, u.name AS user_name,
      CASE WHEN '${scope}' = ANY (c.scopes) AND (c.kind = 'team' OR m.role IN (${roles.map((role) => `'${role}'`).join(', ')})) THEN t.id END AS team_id
    FROM access_tokens c
    LEFT JOIN users u ON u.id = c.user_id
    LEFT JOIN teams t ON t.slug = $2 AND t.deleted_at IS NULL AND (c.team_id IS NULL OR c.team_id = t.id)
    LEFT JOIN members m ON m.team_id = t.id AND m.user_id = c.user_id
    WHERE ${liveCredential}`

export interface TeamRow {
  slug: string
  name: string
  timezone: string | null
  gravatar_email: string | null
  created_at: Date | string
  updated_at: Date | string
}

const teamColumns = 't.slug, t.name, t.timezone, t.gravatar_email, t.created_at, t.updated_at'

export const oneTeam = {
  name: 'one_team',
  text: `SELECT c.team_id IS NOT NULL AS allowed, ${teamColumns} FROM (${credential(teamNeeds)}) c LEFT JOIN teams t ON t.id = c.team_id`,
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
  text: `WITH c AS (${credential(renameNeeds)}),
      present AS (SELECT t.id, t.name FROM teams t JOIN c ON c.team_id = t.id FOR UPDATE OF t),
      changed AS (UPDATE teams t SET name = $3, updated_at = now() FROM present p WHERE t.id = p.id
        RETURNING ${teamColumns}, t.id, p.name AS previous),
      audit AS (INSERT INTO audit_entries (at, action, actor_kind, actor_user_id, actor_name, authentication_method, credential_id,
          team_id, subject, before, after, request_id)
        SELECT now(), 'updateTeam', 'user', c.user_id, c.user_name, 'personal_token', c.id, t.id, t.slug,
          json_build_object('name', previous), json_build_object('name', $3::text), $4 FROM changed t, c)
    SELECT c.team_id IS NOT NULL AS allowed, ${teamColumns} FROM c LEFT JOIN changed t ON true`,
}

/** The kept total of a list, as the service reads it. */
const total = (list: string) =>
  `(SELECT coalesce(sum(count), 0) FROM team_counts WHERE team_id = c.team_id AND list = '${list}')::bigint AS total`

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
  text: `SELECT c.team_id IS NOT NULL AS allowed, ${total('members')}, page.*
    FROM (${credential(membersNeeds)}) c LEFT JOIN LATERAL (
      SELECT m.user_id, u.name, u.email, m.role, m.all_applications, m.applications::text[] AS applications, m.joined_at
      FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.team_id = c.team_id ORDER BY m.joined_at, m.user_id LIMIT $3 OFFSET $4) page ON true`,
}

export interface InvoiceRow {
  total: number
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
  text: `SELECT c.team_id IS NOT NULL AS allowed, ${total('invoices')}, page.*
    FROM (${credential(invoicesNeeds)}) c LEFT JOIN LATERAL (
      SELECT id, number, application, status, currency, subtotal, tax, amount_paid, invoice_date, due_date, paid_at, period_start, period_end
      FROM invoices WHERE team_id = c.team_id ORDER BY invoice_date DESC, id DESC LIMIT $3 OFFSET $4) page ON true`,
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
