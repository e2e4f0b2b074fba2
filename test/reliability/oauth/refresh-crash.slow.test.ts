import { describe, expect, onTestFinished, test } from 'vitest'
import { answered } from '../../support/oauth/answered.ts'
import { authorize, createClient, createPerson, exchangeCode, refresh } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { repetitions } from '../../support/service/full.ts'
import { usePair } from '../../support/processes/service-pair.ts'
import { waitFor } from '../../support/service/wait.ts'

const kills = repetitions({ short: 2, full: 25 })
const simultaneousClients = repetitions({ short: 8, full: 16 })

const service = usePair()

interface ConnectedClient {
  client: TestClient
  token: string
  previousToken: string
  refreshCount: number
}

async function connect(): Promise<ConnectedClient> {
  const client = await createClient(service.database)
  const { body } = await exchangeCode(service, client, await authorize(service, client, await createPerson(service.database)))
  return { client, token: body.refresh_token, previousToken: '', refreshCount: 0 }
}

/** Refreshes until `isOver`, and repeats requests without a response. Throws on a status other than 200 and 503. */
async function keepRefreshing(connected: ConnectedClient, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const response = await refresh(service, connected.client, connected.token).catch(() => null)
    if (response === null || response.status === 503) continue
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)} after ${connected.refreshCount}`)
    connected.previousToken = connected.token
    connected.token = response.body.refresh_token
    connected.refreshCount += 1
  }
}

describe('two processes that are killed in turn while clients refresh their tokens', () => {
  test('keep every client connected, and still refuse reused refresh tokens', { timeout: 600_000 }, async () => {
    const connectedClients: ConnectedClient[] = []
    for (let i = 0; i < simultaneousClients; i++) connectedClients.push(await connect())
    let isOver = false
    onTestFinished(() => void (isOver = true))
    const failures: unknown[] = []
    const refreshLoops = connectedClients.map((connected) =>
      keepRefreshing(connected, () => isOver).catch((error: unknown) => failures.push(error)),
    )
    const countRefreshes = () => connectedClients.reduce((sum, { refreshCount }) => sum + refreshCount, 0)
    for (let kill = 0; kill < kills && failures.length === 0; kill++) {
      // Kills the process after a random number of refreshes; the other process continues.
      const target = countRefreshes() + 1 + Math.floor(Math.random() * 40)
      await waitFor(() => failures.length > 0 || countRefreshes() >= target)
      await service.replace(kill % 2 === 0 ? 0 : 1)
    }
    isOver = true
    await Promise.all(refreshLoops)
    expect(failures).toEqual([])
    const check = async ({ client, token, previousToken }: ConnectedClient) => {
      const refreshWith = (value: string) => answered(() => refresh(service, client, value))
      const { status, body } = await refreshWith(previousToken)
      // The process may have been killed between the response and the record of its delivery. Then the response is sent again.
      expect([status, body.error ?? body.refresh_token]).toEqual(status === 200 ? [200, token] : [400, 'invalid_grant'])
      const next = await refreshWith(token)
      expect(next.status).toBe(200)
      expect((await refreshWith(previousToken)).body.error).toBe('invalid_grant')
      expect((await refreshWith(next.body.refresh_token)).body.error).toBe('invalid_grant')
    }
    // At the same time: 10 seconds after a token was replaced, its use would revoke the whole chain.
    await Promise.all(connectedClients.map(check))
  })
})
