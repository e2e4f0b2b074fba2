import type { User } from '../../../../prisma/generated/client/client.ts'
import { LazyTeams } from '../../../../schema/core/team-access/lazy-teams.ts'
import type { Principal } from '../../../../schema/core/principals.ts'
import { globalId } from '../../../../schema/core/global-id.ts'
import { createSession, createTrustedDevice } from '../../data/session-row.ts'
import { personalToken } from '../../data/team.ts'
import { createGrant } from '../../oauth/oauth-rows.ts'
import { operator, sessionOf } from '../../service/in-process.ts'
import type { TestService } from '../../service/service.ts'
import { createOwnerOfTeams } from '../dashboards/teams.ts'

interface Nodes {
  /** The global ids of objects, by type. */
  ids: Readonly<Record<string, string[]>>
  /** Returns a caller who can read the objects of a type, and whose teams are not loaded yet. */
  readerOf(type: string): Promise<Principal>
}

/** Creates this number of objects of each type that has a global id, except the viewer. */
export async function createManyNodes(service: TestService, count: number): Promise<Nodes> {
  const { database } = service
  const { owner } = await createOwnerOfTeams(service, count)
  for (const text of [apps, lines, invitedTo, deletedTeams, passkeys, webhooks, identities, domains, providers, linked])
    await database.pool.query(text, [owner.id, count])
  await database.pool.query(signingKeys, [count])
  const many = <Row>(create: () => Promise<Row>) => Promise.all(Array.from({ length: count }, create))
  const grants = await many(() => createGrant(database, owner))
  await many(() => personalToken(database, owner))
  await many(() => createSession(database, owner))
  await many(() => createTrustedDevice(database, owner))
  const ids: Record<string, string[]> = { GrantClient: grants.map(({ client }) => idOf('GrantClient', client.clientId)) }
  for (const [type, text] of Object.entries(keys)) {
    const values = text.includes('$1') ? [owner.id] : []
    const { rows } = await database.pool.query({ text: `${text} LIMIT ${count}`, values, rowMode: 'array' })
    ids[type] = rows.map((key: string[]) => idOf(type, ...key))
  }
  return { ids, readerOf: (type) => readerOf(service, owner, type) }
}

const idOf = (type: string, ...key: string[]) => globalId({ type, key })

async function readerOf(service: TestService, owner: User, type: string): Promise<Principal> {
  if (['User', 'OAuthClient', 'SigningKey'].includes(type)) return operator
  return { ...(await sessionOf(service, owner)), teams: new LazyTeams({ userId: owner.id, teamIds: null, revokedTeamIds: [] }, []) }
}

const owned = 'FROM members own JOIN teams t ON t.id = own.team_id AND t.deleted_at IS NULL'
const ofOwner = `own.user_id = $1 AND own.role = 'owner'`
/** Selects the key of each object of a type. */
const keys: Record<string, string> = {
  Team: `SELECT t.slug ${owned} WHERE ${ofOwner}`,
  TeamMember: `SELECT t.slug, m.user_id ${owned} JOIN members m ON m.team_id = t.id WHERE ${ofOwner} ORDER BY m.user_id`,
  TeamConnectedApp: `SELECT t.slug, a.application::text ${owned} JOIN connected_apps a ON a.team_id = t.id WHERE ${ofOwner}`,
  TeamInvoice: `SELECT t.slug, i.id ${owned} JOIN invoices i ON i.team_id = t.id WHERE ${ofOwner} ORDER BY i.id`,
  TeamInvoiceLine: `SELECT l.id ${owned} JOIN invoices i ON i.team_id = t.id JOIN invoice_lines l ON l.invoice_id = i.id WHERE ${ofOwner}`,
  TeamInvitation: `SELECT t.slug, i.id ${owned} JOIN invitations i ON i.team_id = t.id WHERE ${ofOwner} ORDER BY i.id`,
  TeamToken: `SELECT t.slug, a.id ${owned} JOIN access_tokens a ON a.team_id = t.id WHERE ${ofOwner} ORDER BY a.id`,
  IdentityProvider: `SELECT t.slug, p.id ${owned} JOIN identity_providers p ON p.team_id = t.id WHERE ${ofOwner} ORDER BY p.id`,
  WorkloadIdentity: `SELECT t.slug, w.id ${owned} JOIN workload_identities w ON w.team_id = t.id WHERE ${ofOwner} ORDER BY w.id`,
  TeamDomain: `SELECT t.slug, d.id ${owned} JOIN team_domains d ON d.team_id = t.id WHERE ${ofOwner} ORDER BY d.id`,
  Webhook: `SELECT t.slug, w.id ${owned} JOIN webhooks w ON w.team_id = t.id WHERE ${ofOwner} ORDER BY w.id`,
  WebhookDelivery: `SELECT d.id ${owned} JOIN webhooks w ON w.team_id = t.id JOIN webhook_deliveries d ON d.webhook_id = w.id WHERE ${ofOwner} ORDER BY d.id`,
  AuditEntry: `SELECT e.id ${owned} JOIN audit_entries e ON e.team_id = t.id WHERE ${ofOwner} ORDER BY e.id`,
  Person: `SELECT m.user_id ${owned} JOIN members m ON m.team_id = t.id WHERE ${ofOwner} AND m.user_id <> $1`,
  PersonalToken: 'SELECT id FROM access_tokens WHERE user_id = $1',
  MemberToken: 'SELECT id FROM access_tokens WHERE user_id = $1',
  Grant: 'SELECT id FROM oauth_grants WHERE user_id = $1',
  Session: 'SELECT id FROM sessions WHERE user_id = $1',
  Passkey: 'SELECT id FROM passkeys WHERE user_id = $1',
  ExternalIdentity: 'SELECT id FROM external_identities WHERE user_id = $1',
  TrustedDevice: 'SELECT id FROM trusted_devices WHERE user_id = $1',
  InvitationTerms: 'SELECT i.id FROM invitations i JOIN users u ON u.email = i.email WHERE u.id = $1',
  DeletedTeam: 'SELECT slug FROM teams JOIN members ON team_id = id WHERE user_id = $1 AND deleted_at IS NOT NULL',
  User: 'SELECT id FROM users',
  OAuthClient: 'SELECT client_id FROM oauth_clients',
  SigningKey: 'SELECT kid FROM signing_keys',
}

const apps = `INSERT INTO connected_apps (team_id, application, name)
  SELECT own.team_id, 'deploy', 'Deploy' FROM members own WHERE user_id = $1 AND $2::int > 0`
const lines = `INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount)
  SELECT i.id, 0, 'Line', 1, 1 FROM invoices i JOIN members own ON own.team_id = i.team_id WHERE own.user_id = $1 AND $2::int > 0`
const invitedTo = `WITH added AS (INSERT INTO teams (slug, name) SELECT 'inviting-' || i, 'Inviting' FROM generate_series(1, $2::int) i RETURNING id)
  INSERT INTO invitations (team_id, email, role, status, token_hash, nonce, sent_at, expires_at)
  SELECT added.id, u.email, 'member', 'pending', sha256(gen_random_uuid()::text::bytea), '\\x00', now(), now() + interval '1 day'
  FROM added, users u WHERE u.id = $1`
const deletedTeams = `WITH added AS (
    INSERT INTO teams (slug, name, deleted_at) SELECT 'deleted-' || i, 'Deleted', now() FROM generate_series(1, $2::int) i RETURNING id)
  INSERT INTO members (team_id, user_id, role) SELECT id, $1, 'owner' FROM added`
const passkeys = `INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports, is_backed_up, created_at)
  SELECT $1, 'Phone', gen_random_uuid()::text::bytea, '\\x01', 0, '{}', false, now() FROM generate_series(1, $2::int)`
const linked = `INSERT INTO external_identities (user_id, social, subject, last_sign_in_at)
  SELECT $1, 'github', gen_random_uuid()::text, now() FROM generate_series(1, $2::int)`
const webhooks = `WITH added AS (
    INSERT INTO webhooks (team_id, url, description, types, secret, events_since, position_transaction_id, position_at, position_id, position_part)
    SELECT own.team_id, 'https://example.com', '', '{}', '\\x00', now(), '3', now(), gen_random_uuid(), 0 FROM members own
    WHERE own.user_id = $1 AND $2::int > 0 RETURNING id)
  INSERT INTO webhook_deliveries (webhook_id, type, part, attempt, at, result, latency_milliseconds)
  SELECT id, 'team.updated', 0, 1, now(), 'failed', 1 FROM added`
const identities = `INSERT INTO workload_identities (team_id, name, issuer, conditions, scopes)
  SELECT own.team_id, 'CI', 'https://ci.example.com', '[]', '{teams}' FROM members own WHERE own.user_id = $1 AND $2::int > 0`
const domains = `INSERT INTO team_domains (team_id, domain, value)
  SELECT own.team_id, 'example.com', 'x' FROM members own WHERE own.user_id = $1 AND $2::int > 0`
const providers = `INSERT INTO identity_providers (team_id, kind, name, issuer, client_id)
  SELECT own.team_id, 'oidc', 'Acme', 'https://idp.example.com', '1' FROM members own WHERE own.user_id = $1 AND $2::int > 0`
const signingKeys = `INSERT INTO signing_keys (kid, algorithm, public_jwk, encrypted_private_jwk, signs_from)
  SELECT 'key-' || i, 'ES256', '{}', '\\x00', now() FROM generate_series(1, $1::int) i`
