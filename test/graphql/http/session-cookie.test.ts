import { describe, expect, test } from 'vitest'
import { enter, signedIn } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { noCost } from '../../support/http/graphql.ts'
import { resourceMetadataOf } from '../../support/http/resource-metadata.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { startService, useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, join, personalToken } from '../../support/data/team.ts'

const service = useService()
const { database, url } = service
const { prisma } = database

const viewer = '{ viewer { kind user { email } } }'
const sameOrigin = { origin: url, 'sec-fetch-site': 'same-origin' }

/** The Cookie header field that the browser sends. */
const cookieOf = ({ cookies }: Browser) => [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')

/** Posts a query with the browser's cookies, by default from the service's own origin. Undefined header fields are not sent. */
async function postQuery(browser: Browser, query: string, changes: Record<string, string | undefined> = {}, init: RequestInit = {}) {
  const fields = { 'content-type': 'application/json', cookie: cookieOf(browser), ...sameOrigin, ...changes }
  const headers = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = await fetch(`${browser.origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }), ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

const challengeOf = (error = '') => `Bearer realm="${url}"${error}, ${resourceMetadataOf(url, 'graphql')}`
const expectUnauthenticated = ({ status, headers, body }: Awaited<ReturnType<typeof postQuery>>) =>
  expect([status, headers.get('www-authenticate'), headers.getSetCookie(), body]).toEqual([
    401,
    challengeOf(),
    [],
    {
      errors: [{ message: 'Unauthenticated.', extensions: { code: 'unauthenticated', request_id: headers.get('x-request-id') } }],
      extensions: noCost,
    },
  ])

describe('a same-origin page', () => {
  test.each([[sameOrigin], [{ 'sec-fetch-site': undefined }], [{ origin: undefined }]])(
    'with the header fields %j acts as the signed-in user',
    async (changes) => {
      const { user, browser } = await signedIn(service)
      const { status, body } = await postQuery(browser, viewer, changes)
      expect([status, body]).toMatchObject([200, { data: { viewer: { kind: 'SESSION', user: { email: user.email } } } }])
    },
  )

  test('is unauthenticated without a valid session', async () => {
    const anonymous = new Browser(url)
    await anonymous.open('/sign-in')
    expectUnauthenticated(await postQuery(anonymous, viewer))
    expectUnauthenticated(await postQuery(anonymous, viewer, { cookie: undefined }))
    expectUnauthenticated(await postQuery(anonymous, viewer, { cookie: `session=${'A'.repeat(43)}` }))
    expectUnauthenticated(await postQuery(anonymous, viewer, { cookie: 'session=\'"; __Host-session=x' }))
  })

  test('can change only what the role of the user allows', async () => {
    const { user, browser } = await signedIn(service)
    const [ownTeam, otherTeam] = [await createTeam(database), await createTeam(database)]
    await join(database, ownTeam, user, 'owner')
    const rename = (slug: string) =>
      postQuery(browser, `mutation { updateTeam(input: { team: "${slug}", name: "New" }) { team { name } } }`)
    expect((await rename(ownTeam.slug)).body).toMatchObject({ data: { updateTeam: { team: { name: 'New' } } } })
    expect((await rename(otherTeam.slug)).body).toMatchObject({ errors: [{ extensions: { code: 'team_forbidden' } }] })
    await join(database, ownTeam, await createPerson(database), 'owner')
    await prisma.member.updateMany({ where: { userId: user.id }, data: { role: 'member' } })
    expect((await rename(ownTeam.slug)).body).toMatchObject({ errors: [{ extensions: { code: 'role_required' } }] })
  })

  test('can create a personal token only shortly after sign-in', async () => {
    const { browser } = await signedIn(service)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const create = () =>
      postQuery(
        browser,
        `mutation { createPersonalToken(input: { name: "x", scopes: ["teams"], expiresAt: "${inDays(7)}" }) { token { name } } }`,
      )
    expect((await create()).body).toMatchObject({ data: { createPersonalToken: { token: { name: 'x' } } } })
    travel(15 * 60_000 + 1000)
    expect((await create()).body).toMatchObject({
      errors: [{ message: 'This action is unauthorized.', extensions: { code: 'recent_sign_in_required' } }],
    })
  })

  test('extends the session with each request', async () => {
    const { browser } = await signedIn(service)
    for (let round = 0; round < 3; round++) {
      travel(13 * 86_400_000)
      const { status, headers } = await postQuery(browser, viewer)
      expect([status, headers.getSetCookie()[0]]).toEqual([200, expect.stringMatching(/^session=/)])
    }
    travel(14 * 86_400_000 + 1000)
    expectUnauthenticated(await postQuery(browser, viewer))
  })
})

describe('a valid session cookie', () => {
  const { port } = new URL(url)
  test.each([
    ['without Origin and Sec-Fetch-Site', { origin: undefined, 'sec-fetch-site': undefined }],
    ['from another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['from another site without Sec-Fetch-Site', { origin: 'https://evil.example', 'sec-fetch-site': undefined }],
    ['with its own Origin and a cross-site Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['with a foreign Origin and a same-origin Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['from another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['from the address bar', { origin: undefined, 'sec-fetch-site': 'none' }],
    ['with the Origin null', { origin: 'null', 'sec-fetch-site': undefined }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['from another port', { origin: `http://127.0.0.1:${Number(port) + 1}`, 'sec-fetch-site': undefined }],
    ['from another scheme', { origin: `https://127.0.0.1:${port}`, 'sec-fetch-site': undefined }],
    ['from an origin that starts with the service origin', { origin: `${url}.evil.example`, 'sec-fetch-site': undefined }],
    ['with a URL-encoded form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['with a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['with a text/plain form', { 'content-type': 'text/plain' }],
    ['with a content type that only contains application/json', { 'content-type': 'text/plain; application/json' }],
    ['with an empty content type', { 'content-type': '' }],
    ['with credentials of another scheme', { authorization: 'Basic YTpi' }],
  ])('is ignored in a request %s', async (_, changes) => {
    const { browser } = await signedIn(service)
    expectUnauthenticated(await postQuery(browser, viewer, changes))
  })

  test.each(['GET', 'HEAD', 'PUT'])('is ignored in a %s request', async (method) => {
    const { user, browser } = await signedIn(service)
    const query = new URLSearchParams({ query: 'mutation { updateProfile(input: { name: "Evil" }) { user { name } } }' })
    const headers = { cookie: cookieOf(browser), ...sameOrigin, accept: 'application/json', 'content-type': 'application/json' }
    const response = await fetch(`${url}/graphql?${query}`, { method, headers })
    expect(response.status).toBe(401)
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).name).toBe(user.name)
  })

  test('is ignored if the request has a bearer credential', async () => {
    const { browser } = await signedIn(service)
    const { owner } = await createOwnedTeam(database)
    const { body } = await postQuery(browser, viewer, { authorization: `Bearer ${await personalToken(database, owner)}` })
    expect(body).toMatchObject({ data: { viewer: { kind: 'PERSONAL_TOKEN', user: { email: owner.email } } } })
    const { headers } = await postQuery(browser, viewer, { authorization: 'Bearer invalid' })
    expect(headers.get('www-authenticate')).toBe(challengeOf(', error="invalid_token"'))
  })

  test('is ignored by the REST API', async () => {
    const { browser } = await signedIn(service)
    const { status } = await fetch(`${url}/api/v1/teams`, { headers: { cookie: cookieOf(browser), ...sameOrigin } })
    expect(status).toBe(401)
  })

  test('is rejected on the next request after the user signed out, was disabled or was deleted', async () => {
    const [signedOut, disabled, deleted] = [await signedIn(service), await signedIn(service), await signedIn(service)]
    const cookieCopy = new Browser(url)
    for (const [key, cookie] of signedOut.browser.cookies) cookieCopy.cookies.set(key, cookie)
    await signedOut.browser.press(signedOut.page, 'Sign out')
    await prisma.user.update({ where: { id: disabled.user.id }, data: { disabledAt: new Date() } })
    await prisma.user.delete({ where: { id: deleted.user.id } })
    for (const browser of [signedOut.browser, cookieCopy, disabled.browser, deleted.browser])
      expectUnauthenticated(await postQuery(browser, viewer))
  })
})

test('a session has the same rate limit as any other credential', async () => {
  const limited = await startService({ rateLimitApi: 3 })
  const { browser } = await signedIn(limited)
  const headers = { origin: limited.url }
  const statuses = []
  for (let round = 0; round < 3; round++) statuses.push((await postQuery(browser, viewer, headers)).status)
  const response = await postQuery(browser, viewer, headers)
  expect([statuses, response.status, response.headers.get('ratelimit-policy'), response.body]).toEqual([
    [200, 200, 200],
    429,
    '"api";q=3;w=60',
    {
      errors: [{ message: 'Too Many Attempts.', extensions: { code: 'rate_limited', request_id: response.headers.get('x-request-id') } }],
      extensions: noCost,
    },
  ])
})

test('requests of a browser act as the user who signed in last', async () => {
  const { browser } = await signedIn(service)
  const second = await createPerson(database)
  await enter(browser, second)
  expect((await postQuery(browser, viewer)).body).toMatchObject({ data: { viewer: { kind: 'SESSION', user: { email: second.email } } } })
})

test('a document can change at most two passwords, and the notification is sent only to a verified address', async () => {
  const { user, browser } = await signedIn(service)
  const passwords = (count: number) =>
    `mutation { ${Array.from({ length: count }, (_, i) => `a${i}: changePassword(input: { newPassword: "a new password ${i}" }) { user { id: userId } }`).join(' ')} }`
  const rejected = await postQuery(browser, passwords(3))
  expect([rejected.status, rejected.body.errors[0].message]).toEqual([200, expect.stringContaining('The query costs')])
  expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).passwordHash).toBe(user.passwordHash)

  const countMails = () => service.mails.filter((mail) => mail.kind === 'password-changed' && mail.userId === user.id).length
  expect([(await postQuery(browser, passwords(2))).body.errors, countMails()]).toEqual([undefined, 2])
  await prisma.user.update({ where: { id: user.id }, data: { emailVerified: false } })
  expect([(await postQuery(browser, passwords(1))).body.errors, countMails()]).toEqual([undefined, 2])
})
