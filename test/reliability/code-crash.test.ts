import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { authorize, createClient, createPerson, exchangeCode, post, refresh } from '../support/oauth.ts'
import type { TestClient, TokenAnswer } from '../support/oauth.ts'
import { startPair } from '../support/service-pair.ts'

const kills = 5
const ofEachKind = 6
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const service = await startPair()
const { database } = service

/** A code that is there to be exchanged. */
interface Prepared {
  client: TestClient
  /** Asks with it once, through the balancer; null when no answer came. */
  exchange(): Promise<TokenAnswer>
}

async function prepareCode(client: TestClient, browser: Browser): Promise<Prepared> {
  const given = await authorize(service, client, await person, { browser })
  return { client, exchange: () => exchangeCode(service, client, given) }
}

async function prepareDevice(client: TestClient, browser: Browser): Promise<Prepared> {
  const { body: device } = await post(service, '/api/oauth/device', client, { scope: 'openid offline_access' })
  const confirmation = await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
  const page = await browser.press(confirmation, 'Continue')
  if (page.text.includes('Allow access')) await browser.press(page, 'Allow access')
  const fields = { grant_type: deviceGrant, device_code: device.device_code }
  return { client, exchange: () => post(service, '/api/oauth/token', client, fields) }
}

const person = createPerson(database)

/** Asks until an answer comes; tells when one did, and how often it was asked for. */
async function insist({ exchange }: Prepared, onAnswer: () => void): Promise<{ answer: TokenAnswer; asked: number }> {
  for (let asked = 1; ; asked++) {
    const answer = await exchange().catch(() => null)
    if (answer === null || answer.status === 503) continue
    onAnswer()
    return { answer, asked }
  }
}

describe('two processes that are killed in turn while codes and device codes are exchanged', () => {
  test('strand nobody, and each is spent once', { timeout: 120_000 }, async () => {
    const web = await createClient(database)
    const tv = await createClient(database, { confidential: false, redirectUris: [], grantTypes: [deviceGrant, 'refresh_token'] })
    const browser = new Browser(service.url)
    await authorize(service, web, await person, { browser })
    let askedAgain = 0
    for (let kill = 0; kill < kills; kill++) {
      const prepared: Prepared[] = []
      for (let i = 0; i < ofEachKind; i++) prepared.push(await prepareCode(web, browser), await prepareDevice(tv, browser))
      let answered = 0
      const working = Promise.all(prepared.map((each) => insist(each, () => (answered += 1))))
      // At any moment of the work, which goes on as soon as the other process answers.
      const moment = Math.floor(Math.random() * (prepared.length - 2))
      const isReached = () => answered >= moment
      while (!isReached()) await new Promise(setImmediate)
      await service.replace(kill % 2 === 0 ? 0 : 1)
      const outcomes = await working
      askedAgain += outcomes.filter(({ asked }) => asked > 1).length
      expect(outcomes.map(({ answer: { status, body } }) => [status, body])).toEqual(
        outcomes.map(() => [200, expect.objectContaining({ refresh_token: expect.stringMatching(/^[\w-]{43}$/) })]),
      )
      for (const [index, { client }] of prepared.entries()) {
        expect((await refresh(service, client, outcomes[index]?.answer.body.refresh_token)).status).toBe(200)
      }
      // The first of each client revokes what all of them gave.
      for (const { exchange } of prepared) {
        const { status, body } = await exchange()
        expect([status, body]).toEqual([400, { error: 'invalid_grant', error_description: 'grant request is invalid' }])
      }
    }
    expect(askedAgain).toBeGreaterThan(0)
    const spent = await database.prisma.oAuthArtifact.groupBy({
      by: ['kind'],
      where: { kind: { in: ['AuthorizationCode', 'DeviceCode'] }, consumedAt: { not: null } },
      _count: true,
    })
    expect(Object.fromEntries(spent.map(({ kind, _count }) => [kind, _count]))).toEqual({
      AuthorizationCode: kills * ofEachKind,
      DeviceCode: kills * ofEachKind,
    })
  })
})
