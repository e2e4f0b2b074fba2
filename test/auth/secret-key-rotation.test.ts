import { beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../schema/core/sha256.ts'
import { secretDeriver } from '../../src/config/secret-key.ts'
import { createCompose } from '../../src/mail/mails.ts'
import { enter, heading } from '../support/account-site/page-content.ts'
import { Browser } from '../support/browser/browser.ts'
import type { Page } from '../support/browser/browser.ts'
import { createInvitedGuest } from '../support/data/invitation.ts'
import { enableTotp } from '../support/data/second-factor.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { totpCode } from '../support/data/totp.ts'
import { graphql } from '../support/http/graphql.ts'
import { brand } from '../support/mail/brand.ts'
import { connectClient } from '../support/oauth/clients/connect-client.ts'
import { createDeviceClient } from '../support/oauth/device.ts'
import { createPerson, post, refresh } from '../support/oauth/oauth.ts'
import { seedProvider } from '../support/identity-providers/seed-provider.ts'
import { runCli } from '../support/service/cli.ts'
import { executeAs, operator, sessionOf } from '../support/service/in-process.ts'
import { createWebhook } from '../support/webhooks/webhook.ts'
import { useService } from '../support/service/service.ts'
import { secretKey } from '../support/service/test-settings.ts'

const newKey = 'new-key-'.repeat(5)

// One process still has the old key only, and another one the new key and the previous one, on the same database.
const old = useService()
const throughOld = { connectThrough: () => old.database.pool.options }
const rotated = useService({ secretKey: newKey, secretKeyPrevious: secretKey, ...throughOld })
const keys = secretDeriver(newKey, secretKey)

/** The browser with its cookies, as if the next request reached the other process. */
function moved(browser: Browser, to = rotated): Browser {
  const other = new Browser(to.url)
  for (const [key, cookie] of browser.cookies) other.cookies.set(key, cookie)
  return other
}
const movedPage = (page: Page): Page => ({ ...page, url: new URL(page.url.pathname + page.url.search, rotated.url) })

/** A user whose authenticator app was set up with the old key. `code` returns a code that was not used yet. */
async function createUserWithApp() {
  const user = await createPerson(old.database)
  const principal = { ...(await sessionOf(old, user)), authenticatedAt: old.clock.now() }
  const { secret, recoveryCodes } = await enableTotp({ service: old, principal })
  const code = () => {
    for (const { clock } of [old, rotated]) clock.advance(30_000)
    return totpCode(secret, rotated.clock.now())
  }
  return { user, recoveryCodes, code }
}

async function signInWithCode(service: { url: string }, user: { email: string }, code: string) {
  const browser = new Browser(service.url)
  return heading(await browser.press(await enter(browser, user), 'Continue', { Code: code }))
}

describe('a process with the new SECRET_KEY and the previous one', () => {
  test('accepts sessions, pages and sign-ins that began in a process with the old key', async () => {
    const user = await createPerson(old.database)
    const browser = new Browser(old.url)
    expect(heading(await enter(browser, user))).toEqual([200, 'Sign-in and security'])
    expect(heading(await moved(browser).open('/security'))).toEqual([200, 'Sign-in and security'])
    const page = await browser.open('/account')
    const saved = await moved(browser).press(movedPage(page), 'Save', { Name: 'Ada Moved' })
    expect(saved.status).toBe(200)
    expect(await old.database.prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ name: 'Ada Moved' })

    const { user: other, code } = await createUserWithApp()
    const signingIn = new Browser(old.url)
    const prompt = await enter(signingIn, other)
    expect(heading(await moved(signingIn).press(movedPage(prompt), 'Continue', { Code: code() }))).toEqual([200, 'Sign-in and security'])
  })

  test('accepts recovery codes of the old key, each once', async () => {
    const { user, recoveryCodes } = await createUserWithApp()
    const [code = ''] = recoveryCodes
    expect(await signInWithCode(rotated, user, code)).toEqual([200, 'Sign-in and security'])
    expect(await signInWithCode(old, user, code)).toEqual([422, 'Two-factor authentication'])
  })

  test('repeats a response that was encrypted with the old key, and refreshes', async () => {
    const { client, tokens } = await connectClient(old, { refreshReplaySeconds: 100 }, { changes: { scope: 'openid offline_access' } })
    const { body } = await refresh(old, client, tokens.refresh_token)
    const repeated = await refresh(rotated, client, tokens.refresh_token)
    expect([repeated.status, repeated.body.refresh_token]).toEqual([200, body.refresh_token])
    expect((await refresh(rotated, client, body.refresh_token)).status).toBe(200)
  })

  test('finds device codes and accepts cursors of the old key', async () => {
    const client = await createDeviceClient(old.database)
    const { body } = await post(old, '/api/oauth/device', client, { scope: 'openid offline_access' })
    const user = await createPerson(old.database)
    const browser = new Browser(rotated.url)
    await enter(browser, user)
    const page = await browser.press(await browser.open('/login/device'), 'Continue', { Code: body.user_code })
    expect(page.text).toContain('TV')

    const { team, token } = await createOwnedTeam(old.database)
    const members = (service: { url: string }, after: string) =>
      graphql(service, token, `{ team(slug: "${team.slug}") { membersConnection(first: 1${after}) { pageInfo { endCursor } } } }`)
    const first = await members(old, '')
    const { endCursor } = first.data.team.membersConnection.pageInfo
    expect(await members(rotated, `, after: "${endCursor}"`)).toMatchObject({ data: { team: { membersConnection: {} } } })
  })

  test('sends links that were created with the old key', async () => {
    const { invitation } = await createInvitedGuest(old)
    const compose = createCompose({ database: old.database, now: old.clock.now, deriveSecret: keys, authUrl: rotated.url, brand })
    const { nonce, tokenHash } = await old.database.prisma.invitation.findUniqueOrThrow({ where: { id: invitation.id } })
    const mail = await compose({ kind: 'invitation', invitationId: invitation.id, nonce: Buffer.from(nonce).toString('base64url') })
    const secret = 'secret' in mail ? mail.secret : ''
    expect(sha256(secret).equals(tokenHash)).toBe(true)
  })
})

describe('keys reencrypt', () => {
  let user: Awaited<ReturnType<typeof createUserWithApp>>
  const run = async (settings: Record<string, string>) => {
    const { status, stdout, stderr } = await runCli({ DATABASE_URL: old.databaseUrl, ...settings }, ['keys', 'reencrypt', '--json'])
    return { status, stderr, data: JSON.parse(stdout).data }
  }
  const result = (kind: string, reencrypted: number, current: number, unreadable = 0) => ({
    kind,
    reencrypted,
    current,
    unreadable,
    deleted: 0,
  })
  /** The current and the previous secret of a webhook, and that of an identity provider. */
  const ofOthers = (...counts: [number, number, number?]) =>
    ['webhook_secrets', 'webhook_previous_secrets', 'provider_client_secrets'].map((kind) => result(kind, ...counts))
  const overlap = { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: secretKey }

  beforeAll(async () => {
    user = await createUserWithApp()
    const { id } = await createWebhook(old, null, 'http://127.0.0.1:9/')
    await executeAs(old, operator, 'mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id }) { secret } }', { id })
    await seedProvider(old, (await createOwnedTeam(old.database)).team)
    await old.database.pool.query(
      `INSERT INTO trusted_devices (user_id, hash, created_at, last_used_at, expires_at, address, user_agent)
       VALUES ($1, '\\x01', now(), now(), now() + interval '1 day', '::1', 'test')`,
      [user.user.id],
    )
  })

  test('reports the secrets that no key decrypts, and changes nothing without the previous key', async () => {
    const { status, data } = await run({ SECRET_KEY: newKey })
    expect([status, data]).toEqual([1, [result('signing_keys', 0, 0, 2), result('totp_secrets', 0, 0, 3), ...ofOthers(0, 0, 1)]])
  })

  test('encrypts signing keys and secrets of authenticator apps again, once, and keeps trusted browsers', async () => {
    const devices = () => old.database.prisma.trustedDevice.findMany({ where: { userId: user.user.id } })
    const before = await devices()
    expect(before).toHaveLength(1)
    expect(await run(overlap)).toEqual({
      status: 0,
      stderr: '',
      data: [result('signing_keys', 2, 2), result('totp_secrets', 3, 3), ...ofOthers(1, 1)],
    })
    expect(await run(overlap)).toEqual({
      status: 0,
      stderr: '',
      data: [result('signing_keys', 0, 2), result('totp_secrets', 0, 3), ...ofOthers(0, 1)],
    })
    expect(await devices()).toEqual(before)
    const entries = await old.database.prisma.auditEntry.findMany({ where: { action: 'reencryptSecrets' }, orderBy: { at: 'desc' } })
    expect(entries).toHaveLength(3)
    expect(entries[0]).toMatchObject({
      actorKind: 'operator',
      authenticationMethod: 'command_line',
      subject: 'SECRET_KEY',
      after: {
        signing_keys: { reencrypted: 0, current: 2, unreadable: 0, deleted: 0 },
        totp_secrets: { reencrypted: 0, current: 3, unreadable: 0, deleted: 0 },
        webhook_secrets: { reencrypted: 0, current: 1, unreadable: 0, deleted: 0 },
        webhook_previous_secrets: { reencrypted: 0, current: 1, unreadable: 0, deleted: 0 },
        provider_client_secrets: { reencrypted: 0, current: 1, unreadable: 0, deleted: 0 },
      },
    })
  })

  describe('then a process with the new key only', () => {
    const present = useService({ secretKey: newKey, ...throughOld })

    test('issues tokens and accepts codes of authenticator apps', async () => {
      const { tokens } = await connectClient(present)
      expect(tokens.id_token).toEqual(expect.any(String))
      present.clock.advance(rotated.clock.now().getTime() - present.clock.now().getTime() + 30_000)
      expect(await signInWithCode(present, user.user, user.code())).toEqual([200, 'Sign-in and security'])
    })

    test('no longer accepts recovery codes and sessions of the old key', async () => {
      expect(await signInWithCode(present, user.user, user.recoveryCodes[0] ?? '')).toEqual([422, 'Two-factor authentication'])
      const browser = new Browser(old.url)
      await enter(browser, await createPerson(old.database))
      expect(heading(await moved(browser, present).open('/security'))).toEqual([200, 'Sign in'])
    })
  })
})
