import type { User } from '../../../../prisma/generated/client/client.ts'
import { createUser, personalToken } from '../../data/team.ts'
import type { TestService } from '../../service/service.ts'

export interface Owner {
  owner: User
  /** A personal token with every scope. */
  token: string
}

/**
 * Creates teams that one person owns. Each has a different number of members of each role, invoices in two currencies, team tokens,
 * invitations and audit entries. Times lie before and after now.
 */
export async function createOwnerOfTeams({ database }: Pick<TestService, 'database'>, count: number): Promise<Owner> {
  const owner = await createUser(database, { name: 'Ada Moreau' })
  const { rows } = await database.pool.query<{ id: string }>(teams, [owner.id, count])
  const ids = rows.map(({ id }) => id)
  for (const text of [people, members, invoices, tokens, invitations, auditEntries]) await database.pool.query(text, [ids])
  return { owner, token: await personalToken(database, owner) }
}

const teams = `WITH added AS (
    INSERT INTO teams (slug, name) SELECT 'team-' || left(gen_random_uuid()::text, 8) || '-' || i, 'Team ' || i FROM generate_series(1, $2::int) i RETURNING id),
  joined AS (INSERT INTO members (team_id, user_id, role) SELECT id, $1, 'owner' FROM added)
  SELECT id FROM added`

/** The teams with their number `n`, and of each so many rows with the number `i`. */
const rowsOf = (count: string) => `FROM unnest($1::uuid[]) WITH ORDINALITY AS t(id, n), generate_series(1, ${count}) i`
const oneOf = (values: readonly string[], index: string, type = 'text') =>
  `(ARRAY['${values.join("', '")}']::${type}[])[1 + (${index})::int % ${values.length}]`

const memberRows = rowsOf('(1 + n % 4)::int')
const userId = `md5(t.id || ' ' || i)::uuid`
const people = `INSERT INTO users (id, email, name) SELECT ${userId}, ${userId} || '@example.test', 'Member ' || i ${memberRows}`
const members = `INSERT INTO members (team_id, user_id, role, joined_at)
  SELECT t.id, ${userId}, ${oneOf(['member', 'billing', 'owner'], 'n + i', '"Role"')}, now() - i * interval '1 day' ${memberRows}`

const invoices = `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, tax, amount_paid, invoice_date, due_date)
  SELECT t.id, 'no-' || i, ${oneOf(['deploy', 'cert', 'flow'], 'n + i', '"Application"')},
    ${oneOf(['open', 'paid', 'open', 'uncollectible', 'void'], 'i', '"InvoiceStatus"')}, ${oneOf(['eur', 'usd'], 'n + i / 3')},
    1000 * n + i, 19 * i, i, current_date - (i * 23)::int, current_date - (i * 23)::int + 30
  ${rowsOf('20')}`

const tokens = `INSERT INTO access_tokens (kind, team_id, name, hash, scopes, created_at, last_used_at, expires_at, revoked_at)
  SELECT 'team', t.id, 'Token ' || i, sha256(gen_random_uuid()::text::bytea),
    CASE WHEN i % 2 = 0 THEN '{teams}' ELSE '{teams,acct:team:members:read}' END::text[], now() - (200 - i) * interval '1 day',
    CASE WHEN i % 3 > 0 THEN now() - (i * 21) * interval '1 day' END,
    CASE WHEN i % 4 > 0 THEN now() + ((i - 2) * 9 + 1) * interval '1 day' END, CASE WHEN (n + i) % 7 = 0 THEN now() END
  ${rowsOf('(5 + n % 6)::int')}`

const invitations = `INSERT INTO invitations (team_id, email, role, status, token_hash, nonce, sent_at, expires_at)
  SELECT t.id, 'guest-' || i || '@example.test', 'member', ${oneOf(['pending', 'accepted', 'revoked'], 'n + i', '"InvitationStatus"')},
    sha256(gen_random_uuid()::text::bytea), '\\x00', now(), now() + (i - 1.5) * interval '2 days'
  ${rowsOf('(n % 5)::int')}`

const auditEntries = `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, subject_name, request_id)
  SELECT now() - (i * 2) * interval '1 day', ${oneOf(['updateTeam', 'inviteMember', 'createTeamToken'], 'n + i')},
    ${oneOf(['user', 'team', 'operator'], 'i')}, ${oneOf(['Ada', 'Ben'], 'n + i')}, ${oneOf(['session', 'team_token', 'command_line'], 'i')},
    t.id, gen_random_uuid(), 'Subject ' || i, gen_random_uuid()
  ${rowsOf('(10 + n % 20)::int')}`
