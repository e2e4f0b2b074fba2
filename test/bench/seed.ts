import type pg from 'pg'
import { tokenScopes } from '../../schema/scopes.ts'
import { createTokenValue, sha256 } from '../../schema/secret.ts'

/** The team whose lists are measured. */
export const teamSlug = 'acme'

const members = 5_000
const invoices = 2_000

/** What stands in the database, in words. */
export const dataInWords = `a team of ${members} members and ${invoices} invoices with 3 lines each, its owner in 3 teams, 200 smaller teams`

/** Fills an empty, migrated database and answers the value of a personal token of the team's owner. */
export async function seed(session: pg.Client): Promise<string> {
  for (const text of statements) await session.query(text)
  const value = createTokenValue('personal')
  await session.query(
    `INSERT INTO access_tokens (kind, name, hash, last_four, scopes, user_id, expires_at)
     SELECT 'personal', 'bench', $1, right($2, 4), $3, id, now() + interval '30 days' FROM users WHERE email = 'person1@example.test'`,
    [sha256(value), value, tokenScopes],
  )
  // As autovacuum leaves a database that has lived for a while.
  await session.query('VACUUM ANALYZE')
  return value
}

const statements = [
  `INSERT INTO users (email, name, email_verified)
   SELECT 'person' || i || '@example.test', 'Person Number ' || i, true FROM generate_series(1, ${members}) i`,

  `INSERT INTO teams (slug, name, timezone, gravatar_email) VALUES
   ('${teamSlug}', 'Acme', 'Europe/Berlin', 'team@acme.example'), ('beta', 'Beta', NULL, NULL), ('gamma', 'Gamma', 'UTC', NULL)`,
  `INSERT INTO teams (slug, name) SELECT 'team-' || i, 'Team ' || i FROM generate_series(1, 200) i`,

  `INSERT INTO members (team_id, user_id, role, all_applications, applications, joined_at)
   SELECT t.id, u.id, CASE WHEN u.n = 1 THEN 'owner' ELSE 'member' END::"Role", u.n % 3 <> 0,
     CASE WHEN u.n % 3 = 0 THEN ARRAY['deploy', 'flow'] ELSE '{}' END::"Application"[], now() - u.n * interval '1 hour'
   FROM teams t CROSS JOIN (SELECT id, split_part(substr(email, 7), '@', 1)::int AS n FROM users) u
   WHERE t.slug = '${teamSlug}' OR (t.slug IN ('beta', 'gamma') AND u.n <= 40)`,
  `INSERT INTO members (team_id, user_id, role)
   SELECT t.id, u.id, 'owner' FROM (SELECT id, row_number() OVER (ORDER BY slug) AS n FROM teams WHERE slug LIKE 'team-%') t
   JOIN (SELECT id, split_part(substr(email, 7), '@', 1)::int AS n FROM users) u ON u.n > 40 AND u.n % 200 = t.n % 200`,

  `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, tax, amount_paid, invoice_date, due_date, paid_at, period_start, period_end)
   SELECT t.id, upper(t.slug) || '-' || lpad(i::text, 5, '0'), CASE WHEN i % 2 = 0 THEN 'deploy' END::"Application",
     CASE WHEN i % 5 = 0 THEN 'open' ELSE 'paid' END::"InvoiceStatus", 'eur', 6000 + i, 1140, CASE WHEN i % 5 = 0 THEN 0 ELSE 7140 + i END,
     date '2026-10-01' - i, date '2026-10-15' - i, CASE WHEN i % 5 <> 0 THEN now() - i * interval '1 day' END,
     date '2026-09-01' - i, date '2026-09-30' - i
   FROM teams t CROSS JOIN generate_series(1, ${invoices}) i WHERE t.slug = '${teamSlug}' OR i <= 5`,
  `INSERT INTO invoice_lines (invoice_id, position, application, description, quantity, unit_amount, period_start, period_end)
   SELECT i.id, p, CASE WHEN p = 1 THEN 'deploy' END::"Application", 'Seats and usage, part ' || p, 1 + p, 1000,
     CASE WHEN p = 1 THEN i.period_start END, CASE WHEN p = 1 THEN i.period_end END
   FROM invoices i CROSS JOIN generate_series(0, 2) p`,
]
