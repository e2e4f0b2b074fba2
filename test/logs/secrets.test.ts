import { expect, test } from 'vitest'
import { Browser } from '../support/browser/browser.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { authorize, createClient, createPerson, exchangeCode, password } from '../support/oauth/oauth.ts'
import { secretsInLogs } from '../support/service/secrets/secrets-in-logs.ts'
import { startService } from '../support/service/service.ts'
import { secretKey } from '../support/service/test-settings.ts'

// `every-file.ts` lets a test file fail if `secretsInLogs` finds a secret. This test shows that it finds them.

/** Uses a service with every kind of credential, and returns the values by name. */
async function useSecrets() {
  const service = await startService()
  const { token } = await createOwnedTeam(service.database)
  await request(service, 'GET', '/api/v1/user', { token })
  const client = await createClient(service.database, { refreshReplaySeconds: 0 })
  const browser = new Browser(service.url)
  const authorization = await authorize(service, client, await createPerson(service.database), { browser })
  const { body } = await exchangeCode(service, client, authorization)
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken } = body
  const { code, verifier } = authorization
  const session = [...browser.cookies.values()].find(({ name }) => name === 'session')?.value
  const link = 'qT0S8fJ1h3Yk-_mXo5c7w9ZbNdLrVuGpEiAyHsKxQ42'
  await fetch(`${service.url}/links/${link}`)
  const secrets = {
    token,
    clientSecret: client.secret,
    password,
    secretKey,
    code,
    verifier,
    accessToken,
    refreshToken,
    idToken,
    session,
    link,
  }
  return { service, secrets }
}

test('the log of a service contains no secret of its requests, and the check finds a line that contains one', async () => {
  const { service, secrets } = await useSecrets()
  expect(service.requests.length).toBeGreaterThan(5)
  for (const value of Object.values(secrets)) service.log.debug({ err: new Error(`failed with ${value}`) }, 'a line')
  const names = Object.entries(secrets).map(([name, value]) => [name, typeof value === 'string' && value.length >= 8])
  expect(names).toEqual(Object.keys(secrets).map((name) => [name, true]))
  const found = secretsInLogs()
  expect(Object.entries(secrets).flatMap(([name, value]) => (found.some((each) => each.secret === value) ? [] : name))).toEqual([])
  expect(found.filter(({ line }) => !line.includes('a line'))).toEqual([])
})
