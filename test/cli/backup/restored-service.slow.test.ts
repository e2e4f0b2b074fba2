import { stat, writeFile, readFile, readdir } from 'node:fs/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { alertOf, enter, heading } from '../../support/account-site/page-content.ts'
import { contentOf, settingsFor, succeed, useFolder } from '../../support/backup/backup-files.ts'
import { Browser } from '../../support/browser/browser.ts'
import { expectExactCounts } from '../../support/data/kept-counts.ts'
import { everything } from '../../support/data/records/everything.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { createOwnedTeam, createUser, join, teamToken } from '../../support/data/team.ts'
import { totpCode } from '../../support/data/totp.ts'
import { createMailOutbox } from '../../support/mail/mail-outbox.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { createPerson, refresh } from '../../support/oauth/oauth.ts'
import { runCli } from '../../support/service/cli.ts'
import { planDatabase } from '../../support/service/database.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey, shortTiming, silent } from '../../support/service/test-settings.ts'
import { waitFor } from '../../support/service/wait.ts'

const folder = useFolder()
const source = useService()
const target = planDatabase({ migrated: false })
const passphrase = folder('passphrase')
const file = folder('all.backup')
/** Creates what a restored service must still accept. */
async function fill() {
  const { team, owner, token } = await createOwnedTeam(source.database)
  const person = await createPerson(source.database)
  const { secret, recoveryCodes } = await enableTotp({
    service: source,
    principal: { ...(await sessionOf(source, person)), authenticatedAt: source.clock.now() },
  })
  const changes = { scope: 'openid offline_access' }
  const connected = await connectClient(source, {}, { changes })
  // Written in the background, and part of the comparison.
  await waitFor(() => source.database.prisma.oAuthGrant.findFirst({ where: { lastUsedAt: { not: null } } }))
  const records = everything()
    .records.map((record) => `${JSON.stringify(record)}\n`)
    .join('')
  const settings = settingsFor(source.databaseUrl, folder('none'))
  await succeed(settings, ['import', '-'], records)
  const deleted = await createOwnedTeam(source.database)
  // Queues a mail to its owner.
  await succeed(settings, ['team', 'delete', deleted.team.slug, '--yes'])
  return {
    team,
    owner,
    personal: token,
    teamToken: await teamToken(source.database, team),
    person,
    secret,
    recoveryCodes,
    connected,
    settings,
  }
}

let state: Awaited<ReturnType<typeof fill>>
let written: object

beforeAll(async () => {
  await target.create()
  state = await fill()
  await writeFile(passphrase, 'a passphrase of several words\n')
  written = await succeed(state.settings, ['backup', file, '--encrypt', '--passphrase-file', passphrase, '--include-keys'])
})

describe('a backup that was restored into an empty database', () => {
  const restored = useService({ connectThrough: () => target.poolConfig })
  let restoration: object

  beforeAll(async () => {
    const { SECRET_KEY: _, ...withoutKey } = settingsFor(target.url, folder('data'))
    restoration = await succeed(withoutKey, ['restore', file, '--passphrase-file', passphrase])
  })

  test('is a file that only its owner can read and that contains nothing in the clear', async () => {
    expect(written).toEqual({ file, bytes: (await stat(file)).size, rows: expect.any(Number), encrypted: true, includes_keys: true })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const bytes = await readFile(file)
    for (const clear of [secretKey, state.person.email, 'secret_key']) expect(bytes.includes(clear)).toBe(false)
    expect(await readdir(folder())).not.toContainEqual(expect.stringMatching(/^all\.backup\./))
  })

  test('has the entry of its backup in the audit log, and one of the restore', async () => {
    const entriesOf = ({ database: { prisma } }: typeof source) =>
      prisma.auditEntry.findMany({ where: { action: { in: ['backup', 'restore'] } }, orderBy: { at: 'asc' } })
    const entries = await entriesOf(restored)
    expect(entries).toMatchObject([
      { action: 'backup', actorKind: 'operator', subject: file, after: { encrypted: true, includes_keys: true } },
      { action: 'restore', actorKind: 'operator', subject: file, after: { created_at: expect.any(String) } },
    ])
    expect(await entriesOf(source)).toMatchObject([{ id: entries[0]?.id }])
  })

  test('has the same rows in all other tables, and the same export', async () => {
    const [before, after] = await Promise.all([contentOf(source.database.pool.options), contentOf(target.poolConfig)])
    // The target also has the entry of the restore, and webhooks have another position (restored-webhooks.slow.test.ts).
    const different = Object.keys(before).filter((name) => name.includes('audit_entries') || name === 'webhooks')
    const without = Object.fromEntries(different.map((name) => [name, '']))
    expect({ ...after, ...without }).toEqual({ ...before, ...without })
    const entriesOf = ({ database: { prisma } }: typeof source) =>
      prisma.auditEntry.findMany({
        where: { action: { not: 'restore' } },
        orderBy: { id: 'asc' },
        select: { id: true, at: true, action: true, actorName: true, subject: true, before: true, after: true, requestId: true },
      })
    expect(await entriesOf(restored)).toEqual(await entriesOf(source))
    expect(Object.keys(after).length).toBeGreaterThan(25)
    const [first, second] = await Promise.all([
      runCli(state.settings, ['export']),
      runCli(settingsFor(target.url, folder('none')), ['export']),
    ])
    expect(second.stdout).toBe(first.stdout)
    expect(second.stdout).toContain(state.team.slug)
  })

  test('reports its time and that it restored SECRET_KEY', () => {
    expect(restoration).toEqual({ rows: expect.any(Number), created_at: expect.any(String), migrated: [], secret_key: 'restored' })
  })

  test('restored SECRET_KEY to the data folder, for its owner alone', async () => {
    expect(await readFile(folder('data', 'secret-key'), 'utf8')).toBe(`${secretKey}\n`)
    expect((await stat(folder('data', 'secret-key'))).mode & 0o777).toBe(0o600)
  })

  test('accepts personal and team tokens', async () => {
    for (const token of [state.personal, state.teamToken]) {
      const response = await fetch(`${restored.url}/api/v1/teams/${state.team.slug}/members`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect([response.status, (await response.json()).meta.total]).toEqual([200, 1])
    }
  })

  test('accepts the password and a code of the authenticator app or a recovery code', async () => {
    for (const code of [totpCode(state.secret, new Date(restored.clock.now().getTime() + 30_000)), state.recoveryCodes[0] ?? '']) {
      const browser = new Browser(restored.url)
      const page = await enter(browser, state.person)
      expect(heading(await browser.press(page, 'Continue', { Code: 'K7QX-04MB-ZZ1T' }))).toEqual([422, 'Two-factor authentication'])
      const next = await browser.press(page, 'Continue', { Code: code })
      expect([alertOf(next), ...heading(next)]).toEqual([[200, undefined], 200, 'Sign-in and security'])
    }
  })

  test('refreshes a refresh token once and publishes the key of an old ID token', async () => {
    const { client, tokens } = state.connected
    const keys = createRemoteJWKSet(new URL(`${restored.url}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(tokens.id_token, keys, { issuer: source.url, audience: client.clientId })
    expect(payload.sub).toBe(state.connected.user.id)
    expect(await refresh(restored, client, tokens.refresh_token)).toMatchObject({
      status: 200,
      body: { refresh_token: expect.any(String) },
    })
    expect((await refresh(restored, client, `${tokens.refresh_token}x`)).status).toBe(400)
  })

  test('counts members that are added afterwards', async () => {
    await join(restored.database, state.team, await createUser(restored.database), 'member')
    await expectExactCounts(restored.database.pool)
  })

  test('sends the mail that waited, once', async () => {
    const { database } = restored
    const config = {
      dataDir: folder('mail'),
      smtpUrl: undefined,
      mailFrom: 'a@b.test',
      authUrl: restored.url,
      nodeEnv: 'test',
      trustProxy: false,
      brandName: 'T',
      brandColor: '#1d55c4',
    } as const
    const parts = {
      config,
      poolConfig: target.poolConfig,
      database,
      deriveSecret: secretDeriver(secretKey),
      log: silent,
      timing: shortTiming,
    }
    const outboxes = [createMailOutbox(parts), createMailOutbox(parts)]
    await Promise.all(outboxes.map((outbox) => outbox.start()))
    await waitFor(async () => (await outboxes[0]?.list('sent'))?.length === 1)
    await Promise.all(outboxes.map((outbox) => outbox.stop()))
    expect(await outboxes[0]?.list()).toMatchObject([{ kind: 'team-deleted', state: 'sent', attempts: 1 }])
    await outboxes[0]?.stop()
    expect(await readdir(folder('mail', 'mail'))).toHaveLength(1)
  })
})
