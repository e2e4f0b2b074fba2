import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { copyCookies } from '../../support/oauth/authorization.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { authorizationUrl, authorize, createClient, createPerson, refresh } from '../../support/oauth/oauth.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

const service = useService()
const { database } = service
const { port, host } = new URL(service.url)

/** Sends the head of a token request. The returned function sends the body and returns the status code. */
function sendHead(body: string) {
  const socket = connect(Number(port), '127.0.0.1')
  const head = [
    `POST /api/oauth/token HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  return async () => {
    socket.write(body)
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    return Number(text.split(' ')[1])
  }
}

describe('a token request whose body arrives late', () => {
  test('is refused, and ends nothing, when the refresh token was replaced before the body arrived', async () => {
    const { client, tokens } = await connectClient(service, { confidential: false })
    const fields = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token: tokens.refresh_token }
    const sendBody = sendHead(new URLSearchParams(fields).toString())
    const first = await refresh(service, client, tokens.refresh_token)
    expect(first.status).toBe(200)
    await waitFor(() =>
      database.prisma.tokenResponse.findFirst({ where: { modelHash: sha256(tokens.refresh_token), deliveredAt: { not: null } } }),
    )
    expect(await sendBody()).toBe(400)
    expect((await refresh(service, client, first.body.refresh_token)).status).toBe(200)
  })
})

describe('signing out during three authorization requests of the same session', () => {
  test('ends the session, in ten repetitions', async () => {
    const client = await createClient(database)
    const user = await createPerson(database)
    for (let round = 0; round < 10; round++) {
      const { browser } = await authorize(service, client, user)
      const page = await browser.open('/login/oauth/logout')
      const silentUrl = () => authorizationUrl(service, client, { prompt: 'none' }).url
      const secondTab = new Browser(service.url)
      copyCookies(browser, secondTab)
      await Promise.all([...Array.from({ length: 3 }, () => secondTab.open(silentUrl())), browser.press(page, 'Sign out')])
      for (const tab of [secondTab, browser]) {
        expect((await tab.open(silentUrl())).url.searchParams.get('error')).toBe('login_required')
      }
    }
  })
})

describe('simultaneous authorization requests of three clients in one session', () => {
  test('record all three clients in the session', async () => {
    const user = await createPerson(database)
    const clients = await Promise.all(Array.from({ length: 3 }, () => createClient(database)))
    const browser = new Browser(service.url)
    for (const client of clients) await authorize(service, client, user, { browser })
    await database.pool.query(`UPDATE oidc_models SET payload = payload - 'authorizations' WHERE kind = 'Session'`)
    await Promise.all(clients.map((client) => browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)))
    const { rows } = await database.pool.query<{ ids: string[] }>(
      `SELECT array(SELECT jsonb_object_keys(payload->'authorizations')) AS ids FROM oidc_models WHERE kind = 'Session' AND payload->>'accountId' = $1`,
      [user.id],
    )
    expect(rows.map(({ ids }) => new Set(ids))).toEqual([new Set(clients.map(({ clientId }) => clientId))])
  })
})

describe('a consent form', () => {
  test('that the browser submits five times at once leads to one code', async () => {
    const user = await createPerson(database)
    const client = await createClient(database)
    const browser = new Browser(service.url)
    await authorize(service, client, user, { browser })
    const page = await browser.open(authorizationUrl(service, client, { prompt: 'consent' }).url)
    const callbacks = await Promise.all(Array.from({ length: 5 }, () => browser.press(page, 'Allow access')))
    expect(callbacks.filter(({ url }) => url.searchParams.has('code')).length).toBe(1)
  })
})
