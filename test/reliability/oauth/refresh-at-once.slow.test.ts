import { Agent, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { connectClient, invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { isFull } from '../../support/service/full.ts'
import { usePair } from '../../support/processes/service-pair.ts'

const rounds = 600
const simultaneousRequests = 50

const service = usePair()
const keepAliveAgent = new Agent({ keepAlive: true, maxSockets: simultaneousRequests })
/** Opens a connection for each request; a process accepts them one after the other. */
const singleUseAgent = new Agent({ keepAlive: false })

/** Sends the request directly to one process, because the balancer would delay some of the requests. */
function refreshAt(port: number, agent: Agent, { clientId, secret }: TestClient, token: string): Promise<{ status?: number; body: any }> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }).toString()
  const headers = {
    host: new URL(service.url).host,
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': body.length,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path: '/api/oauth/token', method: 'POST', headers, agent }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

// In `npm test`, test/oauth/token/refresh.slow.test.ts sends fewer requests to one process.
describe.runIf(isFull)('50 simultaneous uses of one refresh token at two processes', () => {
  test('create one new refresh token, which works afterwards', { timeout: 600_000 }, async () => {
    const { client, tokens } = await connectClient(service)
    let token: string = tokens.refresh_token
    for (let round = 0; round < rounds; round++) {
      const agent = round % 2 === 0 ? singleUseAgent : keepAliveAgent
      const responses = await Promise.all(
        Array.from({ length: simultaneousRequests }, (_, index) => refreshAt(service.ports[index % 2] ?? 0, agent, client, token)),
      )
      const granted = responses.filter(({ status }) => status === 200).map(({ body }) => body.refresh_token)
      expect(new Set(granted).size).toBe(1)
      // How many of the requests arrive after the first response was delivered, or too late for the time limit of a statement,
      // depends on the machine.
      for (const { status, body } of responses) if (status !== 200 && status !== 503) expect([status, body]).toEqual([400, invalidGrant])
      const where = { kind: 'RefreshToken', consumedAt: null, chain: { grant: { oauthClientId: client.id }, revokedAt: null } }
      expect(await service.database.prisma.oidcModel.count({ where })).toBe(1)
      token = granted[0]
    }
    expect((await refreshAt(service.ports[0] ?? 0, keepAliveAgent, client, token)).status).toBe(200)
  })
})
