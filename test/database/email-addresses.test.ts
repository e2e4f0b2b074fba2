import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { normalizeEmail } from '../../schema/core/validation.ts'
import { prismaFolder } from '../../src/database/migrations.ts'
import { useDatabase } from '../support/service/database.ts'

// The migration that rewrites the addresses which earlier versions stored.

const migration = readFileSync(path.join(prismaFolder, 'migrations', '20261122103001_email_addresses', 'migration.sql'), 'utf8')
const { poolConfig } = useDatabase()
let client: pg.Client
beforeAll(async () => {
  client = new pg.Client(poolConfig)
  await client.connect()
})
afterAll(() => client.end())

const insertUser = (email: string, createdAt: string) =>
  client.query('INSERT INTO users (email, name, created_at) VALUES ($1, $2, $3)', [email, email, createdAt])

test('the migration stores every address as the service writes it, and the older of two accounts gets a shared one', async () => {
  const addresses = [
    'ada@example.test',
    'ada@münchen.example',
    'ada@büro.mu\u0308nchen.example',
    'gru\u0308n@example.test',
    'ζήτα@παράδειγμα.example',
    'a@例え.テスト.example',
    'a@правда-о-лжи.example',
    'a@faß.example',
    'a@☃🦊x-1.example',
    'a@bücher-und-längere-wörter-übertölpeln-äste.example',
  ]
  for (const email of addresses) await insertUser(email, '2026-01-01T00:00:00Z')
  await insertUser('twice@zu\u0308rich.example', '2026-01-01T00:00:00Z')
  await insertUser('twice@zürich.example', '2026-01-02T00:00:00Z')
  await insertUser('kept@xn--tda.example', '2026-01-02T00:00:00Z')
  await insertUser('kept@ü.example', '2026-01-01T00:00:00Z')
  await client.query(`INSERT INTO teams (slug, name, gravatar_email) VALUES ('u', 'U', 'team@münchen.example')`)
  await client.query(migration)
  const { rows } = await client.query<{ name: string; email: string }>('SELECT name, email FROM users')
  const stored = new Map(rows.map(({ name, email }) => [name, email]))
  for (const email of addresses) expect([email, stored.get(email)]).toEqual([email, normalizeEmail(email)])
  expect(stored.get('twice@zu\u0308rich.example')).toBe('twice@xn--zrich-kva.example')
  expect(stored.get('twice@zürich.example')).toBe('twice@zürich.example')
  expect(stored.get('kept@ü.example')).toBe('kept@ü.example')
  const { rows: teams } = await client.query('SELECT gravatar_email AS email FROM teams')
  expect(teams).toEqual([{ email: 'team@xn--mnchen-3ya.example' }])
})
