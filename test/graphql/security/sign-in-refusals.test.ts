import { describe, expect, test } from 'vitest'
import { signedIn } from '../../support/account-site/page-content.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { createOwnedTeam, personalToken, teamToken } from '../../support/data/team.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Operations of the account site's pages are not part of the public endpoint `/graphql`, whatever the credential.

// Every limit is exhausted by the second attempt.
const service = useService({ rateLimitSignInAccount: 1, rateLimitSignInAddress: 1, rateLimitSignUp: 1, rateLimitLink: 1 })

const operations = (email: string) => [
  `mutation { signIn(input: { email: "${email}", password: "${password}" }) { isSignedIn } }`,
  'mutation { signInWithPasskey(input: { response: "{}" }) { isSignedIn } }',
  'mutation { completeSignIn(input: { code: "000000" }) { isSignedIn } }',
  'mutation { completeSignInWithPasskey(input: { response: "{}" }) { isSignedIn } }',
  `mutation { confirmSignIn(input: { password: "${password}" }) { isSignedIn } }`,
  'mutation { confirmSignInWithPasskey(input: { response: "{}" }) { isSignedIn } }',
  `mutation { signUp(input: { email: "new@example.test", name: "New", password: "${password}" }) { email } }`,
  `mutation { requestPasswordReset(input: { email: "${email}" }) { email } }`,
  `mutation { resetPassword(input: { token: "x", password: "${password}" }) { email } }`,
  '{ passkeySignIn }',
  '{ pendingSignIn { methods } }',
  '{ viewer { passkeyConfirmation } }',
  '{ openedLink(token: "x") { kind } }',
  '{ savedLink(token: "x") { kind } }',
  '{ openedInvitation(token: "x") { status } }',
  '{ invitation(token: "x") { status } }',
]

async function post(query: string, headers: Record<string, string>) {
  const allHeaders = { 'content-type': 'application/json', ...headers }
  const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers: allHeaders, body: JSON.stringify({ query }) })
  const { errors, data } = await response.json()
  return {
    status: response.status,
    codes: errors?.map(({ extensions }: any) => extensions.code),
    data,
    cookies: response.headers.getSetCookie(),
  }
}

const sessionHeaders = ({ cookies }: Browser) => ({
  cookie: [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; '),
  origin: service.url,
  'sec-fetch-site': 'same-origin',
})

describe('an account site operation at /graphql', () => {
  test('is rejected in a session, starts no session and counts no attempt', async () => {
    const victim = await createPerson(service.database)
    const { browser } = await signedIn(service)
    const before = [await service.database.prisma.session.findMany(), await service.database.prisma.attemptCount.findMany()]
    for (const operation of operations(victim.email)) {
      const { status, codes, data, cookies } = await post(operation, sessionHeaders(browser))
      expect([operation, status, codes, cookies]).toEqual([operation, 200, ['session_required'], []])
      expect(JSON.stringify(data ?? null)).not.toContain('isSignedIn')
    }
    expect([await service.database.prisma.session.findMany(), await service.database.prisma.attemptCount.findMany()]).toEqual(before)
  })

  test('is rejected with personal and team tokens', async () => {
    const { team, owner } = await createOwnedTeam(service.database)
    for (const token of [await personalToken(service.database, owner), await teamToken(service.database, team)])
      for (const operation of operations(owner.email)) {
        const { codes } = await post(operation, { authorization: `Bearer ${token}` })
        expect([operation, codes]).toEqual([operation, ['session_required']])
      }
  })

  test('is rejected without a credential', async () => {
    for (const operation of operations('unknown@example.test')) {
      const { status, codes } = await post(operation, { origin: service.url, 'sec-fetch-site': 'same-origin' })
      expect([operation, status, codes]).toEqual([operation, 401, ['unauthenticated']])
    }
  })
})
