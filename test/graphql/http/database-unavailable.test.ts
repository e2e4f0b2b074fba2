import { beforeAll, expect, test } from 'vitest'
import { signedIn } from '../../support/account-site/page-content.ts'
import { graphql, noCost } from '../../support/http/graphql.ts'
import { useDisconnectableService } from '../../support/oauth/disconnectable-service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'

const { service, proxy } = useDisconnectableService()
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(service.database))
})

test('an unavailable database returns 503 with Retry-After, and a malformed credential still returns 401', async () => {
  await proxy.disconnect()
  const { status, headers, data, errors } = await graphql(service, token, '{ viewer { id: userId } }')
  expect([status, headers.get('retry-after'), data]).toEqual([503, '1', null])
  expect(errors).toEqual([{ message: 'Server Error', extensions: { code: 'unavailable', request_id: headers.get('x-request-id') } }])
  expect((await graphql(service, 'invalid', '{ viewer { id: userId } }')).status).toBe(401)
  await proxy.restore()
  await expect.poll(async () => (await graphql(service, token, '{ viewer { id: userId } }')).status).toBe(200)
})

test('an unavailable database returns 503 instead of 401 for a session cookie', async () => {
  const { browser } = await signedIn(service)
  const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  const postOperation = () =>
    fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url, cookie },
      body: '{"query":"{ viewer { kind } }"}',
    })
  await proxy.disconnect()
  const response = await postOperation()
  const { status, headers } = response
  expect([status, headers.get('retry-after'), await response.json()]).toEqual([
    503,
    '1',
    {
      errors: [{ message: 'Server Error', extensions: { code: 'unavailable', request_id: headers.get('x-request-id') } }],
      extensions: noCost,
    },
  ])
  await proxy.restore()
  await expect.poll(async () => (await postOperation()).status).toBe(200)
})
