import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { authorize, createClient, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import type { TestClient, TokenResponse } from '../../support/oauth/oauth.ts'
import { answered } from '../../support/oauth/answered.ts'
import { isFull } from '../../support/service/full.ts'
import { usePair } from '../../support/processes/service-pair.ts'
import { waitFor } from '../../support/service/wait.ts'
import type { User } from '../../../prisma/generated/client/client.ts'

const minKills = 5
const codesPerKind = 6
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const service = usePair()
const { database } = service
let person: User
beforeAll(async () => {
  person = await createPerson(database)
})

/** An authorization code or device code that was not exchanged yet. */
interface PendingCode {
  client: TestClient
  /** Sends one token request through the balancer. Rejects when the connection ends without a response. */
  exchange(): Promise<TokenResponse>
}

async function prepareCode(client: TestClient, browser: Browser): Promise<PendingCode> {
  const authorization = await authorize(service, client, person, { browser })
  return { client, exchange: () => exchangeCode(service, client, authorization) }
}

async function prepareDevice(client: TestClient, browser: Browser): Promise<PendingCode> {
  const { body: device } = await post(service, '/api/oauth/device', client, { scope: 'openid offline_access' })
  const page = await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
  await browser.press(page, 'Allow access')
  const fields = { grant_type: deviceGrant, device_code: device.device_code }
  return { client, exchange: () => post(service, '/api/oauth/token', client, fields) }
}

/** Repeats the token request until a response other than 503 arrives. Returns the response and the number of requests. */
async function exchangeWithRetries(
  { exchange }: PendingCode,
  onResponse: () => void,
): Promise<{ response: TokenResponse; requests: number }> {
  let requests = 0
  const response = await answered(() => {
    requests += 1
    return exchange()
  })
  onResponse()
  return { response, requests }
}

// In `npm test`, refresh-crash.slow.test.ts kills the processes.
describe.runIf(isFull)('two processes that are killed in turn while codes and device codes are exchanged', () => {
  test('respond to every client with tokens, and accept every code only once', { timeout: 600_000 }, async () => {
    const web = await createClient(database)
    const tv = await createClient(database, { confidential: false, redirectUris: [], grantTypes: [deviceGrant, 'refresh_token'] })
    const browser = new Browser(service.url)
    await authorize(service, web, person, { browser })
    let retries = 0
    let kills = 0
    // Continues until a kill has interrupted a request.
    while (kills < minKills || retries === 0) {
      const pendingCodes: PendingCode[] = []
      for (let i = 0; i < codesPerKind; i++) pendingCodes.push(await prepareCode(web, browser), await prepareDevice(tv, browser))
      let responses = 0
      const exchanges = Promise.all(pendingCodes.map((code) => exchangeWithRetries(code, () => (responses += 1))))
      // Kills the process after a random number of responses; the other process continues.
      const responsesBeforeKill = Math.floor(Math.random() * (pendingCodes.length - 2))
      const isTimeToKill = () => responses >= responsesBeforeKill
      await waitFor(isTimeToKill)
      await service.replace(kills % 2 === 0 ? 0 : 1)
      kills += 1
      const outcomes = await exchanges
      retries += outcomes.filter(({ requests }) => requests > 1).length
      expect(outcomes.map(({ response: { status, body } }) => [status, body])).toEqual(
        outcomes.map(() => [200, expect.objectContaining({ refresh_token: expect.stringMatching(/^[\w-]{43}$/) })]),
      )
      for (const [index, { client }] of pendingCodes.entries()) {
        const token = outcomes[index]?.response.body.refresh_token
        expect((await answered(() => refresh(service, client, token))).status).toBe(200)
      }
      for (const { exchange } of pendingCodes) {
        const { status, body } = await answered(exchange)
        expect([status, body]).toEqual([400, { error: 'invalid_grant', error_description: 'grant request is invalid' }])
      }
    }
    const consumed = await database.prisma.oidcModel.groupBy({
      by: ['kind'],
      where: { kind: { in: ['AuthorizationCode', 'DeviceCode'] }, consumedAt: { not: null } },
      _count: true,
    })
    expect(Object.fromEntries(consumed.map(({ kind, _count }) => [kind, _count]))).toEqual({
      AuthorizationCode: kills * codesPerKind,
      DeviceCode: kills * codesPerKind,
    })
  })
})
