import { expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { createAgentScene } from '../../support/agents/agent-scene.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { usePair } from '../../support/processes/service-pair.ts'

// Assertions of identity providers at two processes.

const pair = usePair({ OUTGOING_ALLOWED_HOSTS: '127.0.0.1' })
const now = () => new Date()
const providers = useProviders(now)

test('an assertion is accepted at one of two processes, and what ends the access takes effect at both', async () => {
  const scene = await createAgentScene({ url: pair.url, database: pair.database, clock: { now, advance: () => {} } }, providers)
  const assertion = await scene.sign()
  const statuses: number[] = []
  const tokens: string[] = []
  for (const slot of [0, 1] as const) {
    await pair.useOnly(slot)
    statuses.push((await scene.exchange(assertion)).status)
    tokens.push((await scene.exchange()).body.access_token)
  }
  expect(statuses).toEqual([200, 400])
  await pair.database.prisma.identityProvider.update({ where: { id: scene.row.id }, data: { agentsEnabledAt: null } })
  for (const slot of [0, 1] as const) {
    await pair.useOnly(slot)
    for (const token of tokens) expect((await request(pair, 'GET', '/api/v1/user', { token })).status).toBe(401)
    expect((await scene.exchange()).body.error).toBe('invalid_grant')
  }
})
