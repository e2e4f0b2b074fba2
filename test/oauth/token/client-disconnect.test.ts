import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { connectClient, invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { holdLocks, lockWaiters } from '../../support/processes/locks.ts'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { authorize, createClient, createPerson, exchangeCode, refresh } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

const service = useService()
const { database } = service
const { port, host } = new URL(service.url)

/**
 * Sends a token request and resets the connection before the response, which a row lock delays until then. Resolves once the
 * request has committed.
 */
async function requestAndDisconnect(client: TestClient, value: string, fields: Record<string, string>): Promise<void> {
  const lock = await holdLocks(database.pool, 'SELECT 1 FROM oidc_models WHERE id_hash = $1 FOR UPDATE', [sha256(value)])
  const body = new URLSearchParams(fields).toString()
  const socket = connect(Number(port), '127.0.0.1')
  const head = [
    'POST /api/oauth/token HTTP/1.1',
    `Host: ${host}`,
    `Authorization: ${basicAuthorization(client.clientId, client.secret)}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await waitFor(async () => (await lockWaiters(database.pool)) > 0)
  socket.resetAndDestroy()
  await lock.commit()
  await waitFor(() => storedResponseOf(value))
}

const storedResponseOf = (value: string) => database.prisma.tokenResponse.findUnique({ where: { modelHash: sha256(value) } })
const refreshFields = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token })

describe('a client that disconnects before it receives the token response', () => {
  test('receives the same response when it repeats the refresh, until it uses the new refresh token', async () => {
    const { client, tokens } = await connectClient(service)
    const token: string = tokens.refresh_token
    await requestAndDisconnect(client, token, refreshFields(token))
    const again = await refresh(service, client, token)
    expect(again.status).toBe(200)
    const next = await refresh(service, client, again.body.refresh_token)
    expect(next.status).toBe(200)
    expect((await refresh(service, client, token)).body).toEqual(invalidGrant)
    expect((await refresh(service, client, next.body.refresh_token)).body).toEqual(invalidGrant)
  })

  test('receives the same response when it repeats the exchange of its authorization code', async () => {
    const client = await createClient(database)
    const authorization = await authorize(service, client, await createPerson(database))
    const { code, verifier } = authorization
    const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: verifier }
    await requestAndDisconnect(client, code, fields)
    const again = await exchangeCode(service, client, authorization)
    expect(again.status).toBe(200)
    expect((await refresh(service, client, again.body.refresh_token)).status).toBe(200)
    expect((await exchangeCode(service, client, authorization)).body).toEqual(invalidGrant)
  })

  test('does not cause an entry in the error log', () => {
    expect(service.logged).toEqual([])
  })
})
