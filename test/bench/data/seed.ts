import type pg from 'pg'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createTokenValue } from '../../../schema/tokens/token-value.ts'
import { acmeInvoices, acmeMembers, callers, changedTeams } from './sizes.ts'
import type { Caller, Sizes } from './sizes.ts'

/** Values of personal tokens: one per caller, and of the owner of each team that is changed. */
export interface Tokens {
  callers: Record<Caller, string>
  owners: string[]
}

/** Inserts the rows into a migrated, empty database. */
export async function seed(session: pg.Client, sizes: Sizes): Promise<Tokens> {
  for (const text of statements(sizes)) await session.query(text)
  const tokenOf = (user: string) => insertToken(session, user)
  const tokens = {
    callers: {
      oneTeam: await tokenOf('oneTeam'),
      thirteenTeams: await tokenOf('thirteenTeams'),
      hundredTeams: await tokenOf('hundredTeams'),
      thousandTeams: await tokenOf('thousandTeams'),
      largeTeam: await tokenOf('largeTeam'),
    },
    owners: [] as string[],
  }
  for (let number = 1; number <= changedTeams; number++) tokens.owners.push(await tokenOf(`changed-${number}`))
  return tokens
}

async function insertToken(session: pg.Client, user: string): Promise<string> {
  const value = createTokenValue('personal')
  await session.query(
    `INSERT INTO access_tokens (kind, name, hash, last_four, scopes, user_id, expires_at)
     SELECT 'personal', 'bench', $1, right($2, 4), $3, id, now() + interval '30 days' FROM users WHERE email = lower($4)`,
    [sha256(value), value, tokenScopes, user],
  )
  return value
}

// Set-based, with the numbers of ordinary users and teams in temporary tables. Users other than these have no real address:
// their email address is a name by which later statements find them.
const statements = ({ teams, users, largeTeam }: Sizes) => [
  `CREATE TEMP TABLE n_users AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${users}) n`,
  `INSERT INTO users (id, email, name, email_verified) SELECT id, 'person' || n || '@example.test', 'Person Number ' || n, true FROM n_users`,
  `INSERT INTO users (email, name, email_verified) SELECT 'changed-' || n, 'Owner ' || n, true FROM generate_series(1, ${changedTeams}) n`,

  `CREATE TEMP TABLE n_teams AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${teams}) n`,
  `INSERT INTO teams (id, slug, name, timezone) SELECT id, 'team-' || n, 'Team ' || n, 'Europe/Berlin' FROM n_teams`,
  `INSERT INTO teams (slug, name, timezone, gravatar_email)
   VALUES ('acme', 'Acme', 'Europe/Berlin', 'team@acme.example'), ('large', 'Large', NULL, NULL)`,
  `INSERT INTO teams (slug, name) SELECT 'changed-' || n, 'Changed ' || n FROM generate_series(1, ${changedTeams}) n`,

  // Every ordinary user is in one of the ordinary teams, and the first ones in `acme` and `large`, too.
  `INSERT INTO members (team_id, user_id, role, joined_at)
   SELECT t.id, u.id, CASE WHEN u.n <= ${teams} THEN 'owner' ELSE 'member' END::"Role", now() - u.n * interval '1 minute'
   FROM n_users u JOIN n_teams t ON t.n = 1 + u.n % ${teams}`,
  membersOf('acme', acmeMembers),
  membersOf('large', largeTeam),
  `INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'owner' FROM users u JOIN teams t ON t.slug = u.email`,
  ...Object.entries(callers).flatMap(([name, { team, teams }]) => [
    `INSERT INTO users (email, name, email_verified) VALUES (lower('${name}'), 'Caller of ${teams} teams', true)`,
    `INSERT INTO members (team_id, user_id, role) SELECT t.id, u.id, 'owner' FROM users u
     JOIN teams t ON t.slug = '${team}' OR t.id IN (SELECT id FROM n_teams WHERE n < ${teams}) WHERE u.email = lower('${name}')`,
  ]),

  `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, tax, amount_paid, invoice_date, due_date, paid_at, period_start, period_end)
   SELECT t.id, upper(t.slug) || '-' || lpad(i::text, 5, '0'), CASE WHEN i % 2 = 0 THEN 'deploy' END::"Application",
     CASE WHEN i % 5 = 0 THEN 'open' ELSE 'paid' END::"InvoiceStatus", 'eur', 6000 + i, 1140, CASE WHEN i % 5 = 0 THEN 0 ELSE 7140 + i END,
     date '2026-10-01' - i, date '2026-10-15' - i, CASE WHEN i % 5 <> 0 THEN now() - i * interval '1 day' END,
     date '2026-09-01' - i, date '2026-09-30' - i
   FROM teams t CROSS JOIN generate_series(1, ${acmeInvoices}) i WHERE t.slug = 'acme' OR i <= 5`,
  `INSERT INTO invoice_lines (invoice_id, position, application, description, quantity, unit_amount, period_start, period_end)
   SELECT i.id, p, CASE WHEN p = 1 THEN 'deploy' END::"Application", 'Seats and usage, part ' || p, 1 + p, 1000,
     CASE WHEN p = 1 THEN i.period_start END, CASE WHEN p = 1 THEN i.period_end END
   FROM invoices i CROSS JOIN generate_series(0, 2) p`,
  // Autovacuum brings a database that is in use into the same state.
  'VACUUM ANALYZE',
]

/** Members of a team so that it has `size` of them together with its callers. */
function membersOf(slug: string, size: number): string {
  const members = size - Object.values(callers).filter(({ team }) => team === slug).length
  return `INSERT INTO members (team_id, user_id, role, all_applications, applications, joined_at)
     SELECT t.id, u.id, 'member', u.n % 3 <> 0, CASE WHEN u.n % 3 = 0 THEN ARRAY['deploy', 'flow'] ELSE '{}' END::"Application"[],
       now() - u.n * interval '1 minute'
     FROM teams t JOIN n_users u ON u.n <= ${members} WHERE t.slug = '${slug}'`
}
