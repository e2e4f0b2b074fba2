import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, refresh } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const { port, host } = new URL(service.url)

/** The head of a token request now, its body when it is asked for; answers the status. */
function holdBack(body: string) {
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

describe('a token request that keeps its body back', () => {
  test('did not arrive before the token was replaced: it is reuse', async () => {
    const client = await createClient(database, { confidential: false })
    const { body } = await exchangeCode(service, client, await authorize(service, client, await createPerson(database)))
    const fields = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token: body.refresh_token }
    const send = holdBack(new URLSearchParams(fields).toString())
    const first = await refresh(service, client, body.refresh_token)
    expect(first.status).toBe(200)
    expect(await send()).toBe(400)
    expect((await refresh(service, client, first.body.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('signing out while the same session asks for codes', () => {
  test('ends the session for good, 10 times', async () => {
    const client = await createClient(database)
    const person = await createPerson(database)
    for (let round = 0; round < 10; round++) {
      const { browser } = await authorize(service, client, person)
      const page = await browser.open('/login/oauth/logout')
      const silent = () => authorizationUrl(service, client, { prompt: 'none' }).url
      const beside = new Browser(service.url)
      for (const [key, cookie] of browser.cookies) beside.cookies.set(key, cookie)
      await Promise.all([...Array.from({ length: 3 }, () => beside.open(silent())), browser.press(page, 'Sign out')])
      for (const each of [beside, browser]) {
        expect((await each.open(silent())).url.searchParams.get('error')).toBe('login_required')
      }
    }
  })
})

describe('clients that are opened at once in one session', () => {
  test('are all noted in it', async () => {
    const person = await createPerson(database)
    const clients = await Promise.all(Array.from({ length: 3 }, () => createClient(database)))
    const browser = new Browser(service.url)
    for (const client of clients) await authorize(service, client, person, { browser })
    await database.pool.query(`UPDATE oauth_artifacts SET payload = payload - 'authorizations' WHERE kind = 'Session'`)
    await Promise.all(clients.map((client) => browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)))
    const { rows } = await database.pool.query<{ ids: string[] }>(
      `SELECT array(SELECT jsonb_object_keys(payload->'authorizations')) AS ids FROM oauth_artifacts WHERE kind = 'Session' AND payload->>'accountId' = $1`,
      [person.id],
    )
    expect(rows.map(({ ids }) => new Set(ids))).toEqual([new Set(clients.map(({ clientId }) => clientId))])
  })
})

describe('a decision', () => {
  test('leads on once, however often the browser asks at the same time', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    const browser = new Browser(service.url)
    await authorize(service, client, person, { browser })
    const page = await browser.open(authorizationUrl(service, client, { prompt: 'consent' }).url)
    const form = page.root.querySelectorAll('form').find((each) => each.getAttribute('action')?.endsWith('/consent'))
    if (!form) throw new Error('no consent form')
    const pressed = await Promise.all(Array.from({ length: 5 }, () => browser.press(page, 'Allow access')))
    expect(pressed.filter(({ url }) => url.searchParams.has('code')).length).toBe(1)
  })
})
