import { Agent, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { authorize, createClient, createPerson, exchangeCode } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { startPair } from '../support/service-pair.ts'

const rounds = 200
const atOnce = 50

const service = await startPair()
const kept = new Agent({ keepAlive: true, maxSockets: atOnce })
/** A connection for each request, which the processes take one after the other. */
const fresh = new Agent({ keepAlive: false })

interface Answer {
  status: number | undefined
  body: any
}

/** At one of the processes, without the balancer between, which would hold some back. */
function refreshAt(port: number, agent: Agent, { clientId, secret }: TestClient, token: string): Promise<Answer> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }).toString()
  const headers = {
    host: new URL(service.url).host,
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': body.length,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/api/oauth/token', method: 'POST', headers, agent }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function connect() {
  const client = await createClient(service.database)
  const { body } = await exchangeCode(service, client, await authorize(service, client, await createPerson(service.database)))
  return { client, token: body.refresh_token as string }
}

describe('50 uses of one refresh token at once, at two processes', () => {
  test('get one answer in each of 200 rounds, and never leave two successors', { timeout: 300_000 }, async () => {
    let { client, token } = await connect()
    let late = 0
    for (let round = 0; round < rounds; round++) {
      const agent = round % 2 === 0 ? fresh : kept
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, index) => refreshAt(service.ports[index % 2] ?? 0, agent, client, token)),
      )
      const given = answers.filter(({ status }) => status === 200)
      expect(new Set(given.map(({ body }) => body.refresh_token)).size).toBe(1)
      const refused = answers.filter(({ status }) => status !== 200)
      const where = { kind: 'RefreshToken', consumedAt: null, grant: { oauthClientId: client.id, revokedAt: null } }
      expect(await service.database.prisma.oAuthArtifact.count({ where })).toBe(refused.length === 0 ? 1 : 0)
      token = given[0]?.body.refresh_token
      if (refused.length === 0) continue
      // One that a process came to read after the answer had left is reuse, and ends the grant: on a machine that is busy.
      late += 1
      for (const { status, body } of refused) expect([status, body.error]).toEqual([400, 'invalid_grant'])
      ;({ client, token } = await connect())
    }
    expect(late).toBeLessThan(rounds / 20)
  })
})
