import { expect, test } from 'vitest'
import { sessionCookie, signedIn } from '../account-site/shown.ts'
import { graphql } from '../support/graphql.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam } from '../support/team.ts'
import { layWire } from '../support/wire.ts'
import type { Wire } from '../support/wire.ts'

const wires: Wire[] = []
const service = await startService({}, undefined, async (poolConfig) => {
  const wire = await layWire(poolConfig)
  wires.push(wire)
  return wire.poolConfig
})
const [wire] = wires
if (!wire) throw new Error('no wire was laid')
const { token } = await createOwnedTeam(service.database)

test('a database that is away is a 503 that says when to come back; a stranger is a stranger still', async () => {
  await wire.cut()
  const { status, headers, data, errors } = await graphql(service, token, '{ viewer { id } }')
  expect([status, headers.get('retry-after'), data]).toEqual([503, '1', null])
  expect(errors).toEqual([{ message: 'Server Error', extensions: { code: 'server_error', request_id: headers.get('x-request-id') } }])
  expect((await graphql(service, 'nonsense', '{ viewer { id } }')).status).toBe(401)
  await wire.mend()
  await expect.poll(async () => (await graphql(service, token, '{ viewer { id } }')).status, { interval: 50, timeout: 5000 }).toBe(200)
})

test('nor is who is signed in taken for a stranger', async () => {
  const { browser } = await signedIn(service)
  const ask = () =>
    fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url, cookie: `session=${sessionCookie(browser)}` },
      body: '{"query":"{ viewer { kind } }"}',
    })
  await wire.cut()
  const answer = await ask()
  const { status, headers } = answer
  expect([status, headers.get('retry-after'), await answer.json()]).toEqual([
    503,
    '1',
    { errors: [{ message: 'Server Error', extensions: { code: 'server_error', request_id: headers.get('x-request-id') } }] },
  ])
  await wire.mend()
  await expect.poll(async () => (await ask()).status, { interval: 50, timeout: 5000 }).toBe(200)
})
