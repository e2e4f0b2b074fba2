import { beforeAll, expect, test } from 'vitest'
import { names, seedSite } from '../../../support/account-site/seed.ts'
import { rowsRead } from '../../../support/data/rows-read.ts'
import { createOwnedTeam, unique } from '../../../support/data/team.ts'
import { createDomain } from '../../../support/domains/domain.ts'
import { createStaff } from '../../../support/graphql/staff/staff.ts'
import { createFailingWebhook, teamStateReader } from '../../../support/graphql/staff/team-state.ts'
import { seededSecret } from '../../../support/identity-providers/seed-provider.ts'
import { executeAs, operator } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

// What the state of a team never contains, and what it costs.

const service = useService()
const { database } = service
const { prisma } = database
let read: Awaited<ReturnType<typeof teamStateReader>>
beforeAll(async () => {
  read = await teamStateReader(service, await createStaff(database))
})

test('returns no secret, no hash, no token and no path of a webhook', async () => {
  const { team } = await seedSite(service, names.plain)
  const { id } = await createFailingWebhook(service, team)
  await createDomain(database, team)
  await executeAs(
    service,
    operator,
    'mutation ($id: ID!) { updateWebhook(input: { id: $id, url: "https://hooks.example.com/services/T0/secret-path-2" }) { __typename } }',
    { id },
  )
  const { providers, webhooks, tokens, domains, clients } = {
    providers: await prisma.identityProvider.findMany({ where: { teamId: team.id } }),
    webhooks: await prisma.webhook.findMany({ where: { teamId: team.id } }),
    tokens: await prisma.accessToken.findMany({ where: { teamId: team.id } }),
    domains: await prisma.teamDomain.findMany({ where: { teamId: team.id } }),
    clients: await prisma.oAuthClientSecret.findMany({ where: { client: { ownerTeamId: team.id } } }),
  }
  const state = await read(team.slug)
  for (const part of [providers, webhooks, domains]) expect(part).not.toEqual([])
  const text = JSON.stringify(state)
  const bytes = [...providers.map(({ clientSecret }) => clientSecret), ...webhooks.map(({ secret }) => secret)]
  const hashes = [...tokens, ...clients].map(({ hash }) => hash)
  const encoded = [...bytes, ...hashes].flatMap((each) =>
    each && each.length > 8 ? (['hex', 'base64', 'base64url'] as const).map((encoding) => Buffer.from(each).toString(encoding)) : [],
  )
  const hints = tokens.flatMap(({ lastFour }) => lastFour ?? [])
  expect(encoded.length).toBeGreaterThan(5)
  for (const secret of [
    ...encoded,
    ...hints,
    ...domains.map(({ value }) => value),
    seededSecret,
    'secret-path',
    'body-secret',
    'long-path',
  ])
    expect(text).not.toContain(secret)
})

test('reads few rows of large tables', async () => {
  const { team } = await createOwnedTeam(database, { slug: unique('large') })
  await prisma.$executeRaw`WITH other AS (INSERT INTO teams (slug, name) SELECT 'other-' || n, 'Other' FROM generate_series(1, 300) n RETURNING id),
    person AS (INSERT INTO users (email, name) SELECT gen_random_uuid() || '@example.com', 'User' FROM generate_series(1, 3000) RETURNING id),
    numbered AS (SELECT id, row_number() OVER () AS n FROM person), teams_numbered AS (SELECT id, row_number() OVER () AS n FROM other)
    INSERT INTO members (team_id, user_id, role) SELECT t.id, p.id, 'owner' FROM numbered p JOIN teams_numbered t ON t.n = 1 + p.n % 300`
  await prisma.$executeRaw`INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, request_id)
    SELECT now(), 'updateTeam', 'user', 'Ada', 'session', t.id, t.slug, 'request' FROM teams t, generate_series(1, 10)`
  await prisma.$executeRaw`INSERT INTO access_tokens (kind, name, hash, scopes, team_id)
    SELECT 'team', 'CI', sha256(t.id::text::bytea || n::text::bytea), '{}', t.id FROM teams t, generate_series(1, 10) n`
  await prisma.$executeRaw`INSERT INTO invitations (team_id, email, role, token_hash, nonce, sent_at, expires_at)
    SELECT t.id, n || '@example.com', 'member', sha256(t.id::text::bytea || n::text::bytea), '\\x00', now(), now() + interval '1 day'
    FROM teams t, generate_series(1, 10) n WHERE t.deleted_at IS NULL`
  await database.pool.query('ANALYZE')
  service.executions.length = 0
  await read(team.slug)
  const execution = service.executions.find(({ text }) => text.includes('"openInvitationCount"') || text.includes('AS "tokenCount"'))
  expect(await rowsRead(database.pool, execution?.text ?? '', execution?.values ?? [])).toBeLessThan(100)
})
