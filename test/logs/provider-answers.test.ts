import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Browser } from '../support/browser/browser.ts'
import { useSituations } from '../support/identity-providers/situation.ts'
import { answerOf } from '../support/identity-providers/team-provider.ts'
import { addSecret, secretsInLogs } from '../support/service/secrets-in-logs.ts'

const { service, prepare } = useSituations()

test('the log contains no part of what an identity provider answers', async () => {
  const { key } = await prepare('team', 'the team', 'none')
  const browser = new Browser(service.url)
  const sent = await browser.open(`/sign-in/start/${key}`)
  const answer = await answerOf(sent)
  const samlResponse = randomBytes(300).toString('base64')
  const names = ['state', 'code']
  const values = names.map((name) => answer.searchParams.get(name) ?? '')
  expect(values.every(({ length }) => length >= 8)).toBe(true)
  const post = (path: string) =>
    fetch(service.url + path, { method: 'POST', body: new URLSearchParams({ SAMLResponse: samlResponse, RelayState: samlResponse }) })
  await post(`/sign-in/saml/${key}`)
  await post('/sign-in/saml/unknown')
  await fetch(`${service.url}/sign-in/callback/unknown${answer.search}`)
  // Refused without the cookie, accepted with it, refused as used.
  await fetch(answer)
  expect((await browser.open(answer)).status).toBe(200)
  await browser.open(answer)
  expect(service.requests.filter(({ route }) => route?.includes('callback')).length).toBeGreaterThan(2)
  for (const value of [...values, samlResponse]) addSecret(value)
  expect(secretsInLogs()).toEqual([])
})
