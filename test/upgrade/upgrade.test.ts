import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { prismaFolder, readMigrations } from '../../src/database/migrations.ts'
import { enter, heading } from '../support/account-site/page-content.ts'
import { settingsFor, succeed, useFolder } from '../support/backup/backup-files.ts'
import { Browser } from '../support/browser/browser.ts'
import { expectExactCounts } from '../support/data/kept-counts.ts'
import { totpCode } from '../support/data/totp.ts'
import { request } from '../support/http/request.ts'
import { post } from '../support/oauth/oauth.ts'
import { travel } from '../support/service/clock.ts'
import { planDatabase } from '../support/service/database.ts'
import { useService } from '../support/service/service.ts'

// Restores the data of each release, as its version wrote it, and uses it (docs/operations/upgrade.md#fixtures).

const fixtures = path.join(import.meta.dirname, 'fixtures')
const releases = readdirSync(fixtures).flatMap((name) => (name.endsWith('.backup') ? [name.slice(0, -'.backup'.length)] : []))
const factsOf = z.object({
  created_at: z.coerce.date(),
  secret_key: z.string(),
  owner: z.object({ email: z.string(), token: z.string() }),
  person: z.object({ email: z.string(), totp_secret: z.string(), recovery_code: z.string() }),
  team_token: z.string(),
  client: z.object({ client_id: z.string(), client_secret: z.string() }),
  issuer: z.string(),
  tokens: z.object({ id_token: z.string(), refresh_token: z.string() }),
  rows: z.record(z.string(), z.int()),
})
const folder = useFolder()

describe.each(releases)('the data of %s', (release) => {
  const facts = factsOf.parse(JSON.parse(readFileSync(path.join(fixtures, `${release}.json`), 'utf8')))
  const target = planDatabase({ migrated: false })
  const service = useService({ secretKey: facts.secret_key, connectThrough: () => target.poolConfig })
  let restored: { rows: number; migrated: string[]; secret_key: string }

  beforeAll(async () => {
    await target.create()
    const settings = { ...settingsFor(target.url, folder('data')), SECRET_KEY: facts.secret_key }
    restored = await succeed(settings, ['restore', path.join(fixtures, `${release}.backup`)])
  })
  afterAll(() => target.drop())
  // The fixture grows old, and its tokens with it.
  beforeEach(() => travel(facts.created_at.getTime() + 60_000 - Date.now()))

  test('is restored completely and migrated to the current version', async () => {
    const { pool } = service.database
    const { rows } = await pool.query<{ name: string }>('SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1')
    expect(rows.map(({ name }) => name)).toEqual((await readMigrations(prismaFolder)).map(({ name }) => name))
    const migrations = facts.rows['_prisma_migrations'] ?? 0
    expect(restored).toMatchObject({ secret_key: 'same', migrated: rows.slice(migrations).map(({ name }) => name) })
    expect(restored.rows).toBe(Object.values(facts.rows).reduce((sum, count) => sum + count, 0))
    await expectExactCounts(pool)
    const { status, body } = await request(service, 'GET', '/api/v1/teams/upgrade/members', { token: facts.team_token })
    expect([status, body.meta.total]).toEqual([200, 2])
  })

  test('still accepts password, authenticator app and recovery code', async () => {
    for (const code of [totpCode(facts.person.totp_secret, service.clock.now()), facts.person.recovery_code]) {
      const browser = new Browser(service.url)
      const prompt = await enter(browser, facts.person)
      expect(heading(await browser.press(prompt, 'Continue', { Code: code }))).toEqual([200, 'Sign-in and security'])
    }
  })

  test('still accepts personal tokens, client secrets and refresh tokens, and publishes the key of ID tokens', async () => {
    expect(await request(service, 'GET', '/api/v1/teams', { token: facts.owner.token })).toMatchObject({ status: 200 })
    const keys = createLocalJWKSet(await (await fetch(`${service.url}/.well-known/jwks.json`)).json())
    await jwtVerify(facts.tokens.id_token, keys, { issuer: facts.issuer, audience: facts.client.client_id })
    const client = { clientId: facts.client.client_id, secret: facts.client.client_secret }
    const refreshed = await post(service, '/api/oauth/token', client, {
      grant_type: 'refresh_token',
      refresh_token: facts.tokens.refresh_token,
    })
    expect(refreshed).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } })
  })
})
