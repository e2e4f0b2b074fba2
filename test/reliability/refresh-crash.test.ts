import { describe, expect, test } from 'vitest'
import { authorize, createClient, createPerson, exchangeCode, refresh } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { startPair } from '../support/service-pair.ts'

const kills = 30
const clientsAtOnce = 16

const service = await startPair()

interface Connected {
  client: TestClient
  token: string
  /** The token before it. */
  before: string
  refreshed: number
}

async function connect(): Promise<Connected> {
  const client = await createClient(service.database)
  const { body } = await exchangeCode(service, client, await authorize(service, client, await createPerson(service.database)))
  return { client, token: body.refresh_token, before: '', refreshed: 0 }
}

/** Refreshes until told to stop; asks again with the token it sent when no answer came. Anything but 200 and 503 is a loss. */
async function keepRefreshing(connected: Connected, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const answer = await refresh(service, connected.client, connected.token).catch(() => null)
    if (answer === null || answer.status === 503) continue
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)} after ${connected.refreshed}`)
    connected.before = connected.token
    connected.token = answer.body.refresh_token
    connected.refreshed += 1
  }
}

describe('two processes that are killed in turn under refreshing clients', () => {
  test('strand nobody, and ordinary reuse stays refused', { timeout: 300_000 }, async () => {
    const everyone: Connected[] = []
    for (let i = 0; i < clientsAtOnce; i++) everyone.push(await connect())
    let isOver = false
    const lost: unknown[] = []
    const working = everyone.map((each) => keepRefreshing(each, () => isOver).catch((error: unknown) => lost.push(error)))
    const refreshed = () => everyone.reduce((sum, each) => sum + each.refreshed, 0)
    for (let kill = 0; kill < kills && lost.length === 0; kill++) {
      // At any moment of the work, which goes on as soon as the other process answers.
      const target = refreshed() + 1 + Math.floor(Math.random() * 40)
      while (lost.length === 0 && refreshed() < target) await new Promise(setImmediate)
      await service.replace(kill % 2 === 0 ? 0 : 1)
    }
    isOver = true
    await Promise.all(working)
    expect(lost).toEqual([])
    for (const { client, token, before } of everyone) {
      const reused = await refresh(service, client, before)
      expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant'])
      expect((await refresh(service, client, token)).body.error).toBe('invalid_grant')
    }
  })
})
