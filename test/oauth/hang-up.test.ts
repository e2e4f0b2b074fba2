import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { lockWaiters } from '../support/lock-waiters.ts'
import { authorize, createClient, createPerson, exchangeCode, refresh } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { sha256 } from '../../schema/secret.ts'
import { startService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'

const service = await startService()
const { database } = service
const { port, host } = new URL(service.url)
const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' }

/** Asks for tokens and hangs up once the request is at work and before its answer left: a row that it needs is held. */
async function askAndHangUp(client: TestClient, value: string, fields: Record<string, string>): Promise<void> {
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM oauth_artifacts WHERE id_hash = $1 FOR UPDATE', [sha256(value)])
  const body = new URLSearchParams(fields).toString()
  const socket = connect(Number(port), '127.0.0.1')
  const head = [
    'POST /api/oauth/token HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString('base64')}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await waitFor(async () => (await lockWaiters(database.pool)) > 0)
  socket.resetAndDestroy()
  await holder.query('COMMIT')
  holder.release()
  await waitFor(async () => (await answerOf(value))?.deliveredAt)
}

const answerOf = (value: string) => database.prisma.oAuthAnswer.findUnique({ where: { artifactHash: sha256(value) } })
const refreshFields = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token })

async function connected(options: Parameters<typeof createClient>[1] = {}) {
  const client = await createClient(database, options)
  const { body } = await exchangeCode(service, client, await authorize(service, client, await createPerson(database)))
  return { client, token: body.refresh_token as string }
}

// Nobody can tell a client that lost its answer from a thief of its token: only a process that died excuses, or the
// client's replay window (decisions §8).
describe('a client that hangs up before its answer left', () => {
  test('has used its refresh token: to ask again is reuse, and ends the grant', async () => {
    const { client, token } = await connected()
    await askAndHangUp(client, token, refreshFields(token))
    const again = await refresh(service, client, token)
    expect([again.status, again.body]).toEqual([400, invalidGrant])
    expect(await database.prisma.oAuthGrant.count({ where: { oauthClientId: client.id, revokedAt: null } })).toBe(0)
  })

  test('gets the answer it lost within its replay window, once more or twice, and goes on with it', async () => {
    const { client, token } = await connected({ refreshReplaySeconds: 60 })
    await askAndHangUp(client, token, refreshFields(token))
    const again = await refresh(service, client, token)
    const twice = await refresh(service, client, token)
    expect([again.status, twice.status, twice.body.refresh_token]).toEqual([200, 200, again.body.refresh_token])
    expect((await refresh(service, client, again.body.refresh_token)).status).toBe(200)
    expect((await refresh(service, client, token)).body).toEqual(invalidGrant)
  })

  test('has used its code: to ask again revokes what it gave', async () => {
    const client = await createClient(database)
    const given = await authorize(service, client, await createPerson(database))
    const { code, verifier } = given
    const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: verifier }
    await askAndHangUp(client, code, fields)
    const again = await exchangeCode(service, client, given)
    expect([again.status, again.body]).toEqual([400, invalidGrant])
    expect(await database.prisma.oAuthGrant.count({ where: { oauthClientId: client.id, revokedAt: null } })).toBe(0)
  })

  test('is no fault', () => {
    expect(service.logged).toEqual([])
  })
})
