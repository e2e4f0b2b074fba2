import type { Application, ConnectedAppStatus, InvoiceStatus, Role, TokenKind } from '../../../prisma/generated/client/enums.ts'
import type { Scope } from '../../../schema/scopes.ts'
import { client } from './client-section.ts'
import { given, instant, section, unless } from './section.ts'
import type { Section } from './section.ts'

const date = (column: string) => `to_char(${column}, 'YYYY-MM-DD') AS ${column.replace('e.', '')}`
const ofTeam = 'JOIN teams t ON t.id = e.team_id'

interface UserRow {
  email: string
  name: string
  password_hash: string | null
  email_verified: boolean
  disabled_at: string | null
}
const user = section<UserRow>({
  type: 'user',
  text: `SELECT email, name, password_hash, email_verified, ${instant('disabled_at')} AS disabled_at FROM users ORDER BY email COLLATE "C"`,
  record: ({ email, name, password_hash, email_verified, disabled_at }) => ({
    type: 'user',
    email,
    name,
    password: given(password_hash),
    email_verified: unless(email_verified, false),
    disabled_at: given(disabled_at),
  }),
})

interface TeamRow {
  slug: string
  name: string
  timezone: string | null
  gravatar_email: string | null
  created_at: string
}
const team = section<TeamRow>({
  type: 'team',
  text: `SELECT slug, name, timezone, gravatar_email, ${instant('created_at')} AS created_at FROM teams ORDER BY slug COLLATE "C"`,
  record: ({ slug, name, timezone, gravatar_email, created_at }) => ({
    type: 'team',
    slug,
    name,
    timezone: given(timezone),
    gravatar_email: given(gravatar_email),
    created_at,
  }),
})

interface AppRow {
  slug: string
  application: Application
  name: string
  description: string | null
  url: string | null
  status: ConnectedAppStatus
  connected_at: string
}
const app = section<AppRow>({
  type: 'app',
  text: `SELECT t.slug, e.application, e.name, e.description, e.url, e.status, ${instant('e.connected_at')} AS connected_at
    FROM connected_apps e ${ofTeam} ORDER BY t.slug COLLATE "C", e.application`,
  record: ({ slug, application, name, description, url, status, connected_at }) => ({
    type: 'app',
    team: slug,
    id: application,
    name,
    description: given(description),
    url: given(url),
    status: unless<ConnectedAppStatus>(status, 'active'),
    connected_at,
  }),
})

interface MemberRow {
  slug: string
  email: string
  role: Role
  all_applications: boolean
  applications: Application[]
  joined_at: string
}
const member = section<MemberRow>({
  type: 'member',
  text: `SELECT t.slug, u.email, e.role, e.all_applications, to_json(e.applications) AS applications, ${instant('e.joined_at')} AS joined_at
    FROM members e ${ofTeam} JOIN users u ON u.id = e.user_id ORDER BY t.slug COLLATE "C", e.joined_at, u.email COLLATE "C"`,
  record: ({ slug, email, role, all_applications, applications, joined_at }) => ({
    type: 'member',
    team: slug,
    user: email,
    role,
    accessible_app_ids: all_applications ? undefined : applications,
    joined_at,
  }),
})

const line = `jsonb_build_object('application', application, 'description', description, 'quantity', quantity, 'unit_amount', unit_amount,
  'period_start', period_start, 'period_end', period_end)`
interface PeriodRow {
  application: Application | null
  period_start: string | null
  period_end: string | null
}
interface LineRow extends PeriodRow {
  description: string
  quantity: number
  unit_amount: number
}
interface InvoiceRow extends PeriodRow {
  slug: string
  number: string
  status: InvoiceStatus
  currency: string
  tax: number
  amount_paid: number
  invoice_date: string
  due_date: string | null
  paid_at: string | null
  lines: LineRow[]
}
const invoice = section<InvoiceRow>({
  type: 'invoice',
  text: `SELECT t.slug, e.number, e.application, e.status, e.currency, e.tax::float8 AS tax, e.amount_paid::float8 AS amount_paid,
      ${date('e.invoice_date')}, ${date('e.due_date')}, ${instant('e.paid_at')} AS paid_at, ${date('e.period_start')}, ${date('e.period_end')},
      (SELECT coalesce(jsonb_agg(${line} ORDER BY position), '[]') FROM invoice_lines WHERE invoice_id = e.id) AS lines
    FROM invoices e ${ofTeam} ORDER BY t.slug COLLATE "C", e.number COLLATE "C"`,
  record: ({ slug, application, tax, amount_paid, lines, ...row }) => ({
    type: 'invoice',
    team: slug,
    number: row.number,
    app_id: given(application),
    status: row.status,
    currency: row.currency,
    tax: unless<number>(tax, 0),
    amount_paid: unless<number>(amount_paid, 0),
    invoice_date: row.invoice_date,
    due_date: given(row.due_date),
    paid_at: given(row.paid_at),
    period_start: given(row.period_start),
    period_end: given(row.period_end),
    lines: lines.map(lineRecord),
  }),
})

const lineRecord = ({ description, quantity, unit_amount, application, period_start, period_end }: LineRow) => ({
  description,
  quantity,
  unit_amount,
  app_id: given(application),
  period_start: given(period_start),
  period_end: given(period_end),
})

interface TokenRow {
  kind: TokenKind
  email: string | null
  slug: string | null
  name: string
  scopes: Scope[]
  expires_at: string | null
  hash: string
  cut_teams: string[] | null
  replaced_at: string | null
}
const token = section<TokenRow>({
  type: 'token',
  // A revoked one is left out: nothing in the format says so, and it would come back to life.
  text: `SELECT e.kind, u.email, t.slug, e.name, e.scopes, ${instant('e.expires_at')} AS expires_at, encode(e.hash, 'hex') AS hash,
      (SELECT array_agg(c.slug ORDER BY c.slug COLLATE "C") FROM teams c WHERE c.id = ANY (e.cut_team_ids)) AS cut_teams,
      ${instant('e.replaced_at')} AS replaced_at
    FROM access_tokens e LEFT JOIN users u ON u.id = e.user_id LEFT JOIN teams t ON t.id = e.team_id
    WHERE e.revoked_at IS NULL ORDER BY e.hash`,
  record: ({ kind, email, slug, name, scopes, expires_at, hash, cut_teams, replaced_at }) => ({
    type: 'token',
    kind,
    user: given(email),
    team: given(slug),
    name,
    scopes,
    expires_at: given(expires_at),
    sha256: hash,
    cut_teams: given(cut_teams),
    replaced_at: given(replaced_at),
  }),
})

/** In an order in which each record finds what it refers to. */
export const sections: readonly Section[] = [user, team, app, member, invoice, token, client]
