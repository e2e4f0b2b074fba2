import { describe, expect, test } from 'vitest'
import { enter, signedIn } from '../account-site/shown.ts'
import { Browser } from '../support/browser.ts'
import { travel } from '../support/clock.ts'
import { createPerson } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, join, personalToken } from '../support/team.ts'

const service = await startService()
const { database, url } = service
const { prisma } = database

const viewer = '{ viewer { kind user { email } } }'
const own = { origin: url, 'sec-fetch-site': 'same-origin' }

/** Cookies as the browser would send them. */
const cookieOf = ({ cookies }: Browser) => [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')

/** Asks from a page of ours, in this browser, unless told; header fields that are undefined are not sent. */
async function ask(browser: Browser, query: string, changes: Record<string, string | undefined> = {}, init: RequestInit = {}) {
  const sent = { 'content-type': 'application/json', cookie: cookieOf(browser), ...own, ...changes }
  const headers = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = await fetch(`${browser.origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }), ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

type Answer = Awaited<ReturnType<typeof ask>>
const challenge = `Bearer realm="${url}"`
const expectStranger = ({ status, headers, body }: Answer) =>
  expect([status, headers.get('www-authenticate'), headers.getSetCookie(), body]).toEqual([
    401,
    challenge,
    [],
    { errors: [{ message: 'Unauthenticated.', extensions: { code: 'unauthenticated', request_id: headers.get('x-request-id') } }] },
  ])

describe('a page of ours', () => {
  test.each([[own], [{ 'sec-fetch-site': undefined }], [{ origin: undefined }]])('(%j) asks as who is signed in', async (changes) => {
    const { user, browser } = await signedIn(service)
    const { status, body } = await ask(browser, viewer, changes)
    expect([status, body]).toEqual([200, { data: { viewer: { kind: 'SESSION', user: { email: user.email } } } }])
  })

  test('asks as nobody where nobody is signed in', async () => {
    const visitor = new Browser(url)
    await visitor.open('/sign-in')
    expectStranger(await ask(visitor, viewer))
    expectStranger(await ask(visitor, viewer, { cookie: undefined }))
    expectStranger(await ask(visitor, viewer, { cookie: `session=${'A'.repeat(43)}` }))
    expectStranger(await ask(visitor, viewer, { cookie: 'session=\'"; __Host-session=x' }))
  })

  test('changes what the role of the person allows, and no more', async () => {
    const { user, browser } = await signedIn(service)
    const [mine, theirs] = [await createTeam(database), await createTeam(database)]
    await join(database, mine, user, 'owner')
    const rename = (slug: string) => ask(browser, `mutation { updateTeam(input: { team: "${slug}", name: "New" }) { team { name } } }`)
    expect((await rename(mine.slug)).body).toEqual({ data: { updateTeam: { team: { name: 'New' } } } })
    expect((await rename(theirs.slug)).body).toMatchObject({ errors: [{ extensions: { code: 'team_forbidden' } }] })
    await join(database, mine, await createPerson(database), 'owner')
    await prisma.member.updateMany({ where: { userId: user.id }, data: { role: 'member' } })
    expect((await rename(mine.slug)).body).toMatchObject({ errors: [{ extensions: { code: 'role_required' } }] })
  })

  test('does what is dangerous only shortly after the person signed in', async () => {
    const { browser } = await signedIn(service)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const create = () =>
      ask(
        browser,
        `mutation { createPersonalToken(input: { name: "x", scopes: ["teams"], expiresAt: "${inDays(7)}" }) { token { name } } }`,
      )
    expect((await create()).body).toEqual({ data: { createPersonalToken: { token: { name: 'x' } } } })
    travel(15 * 60_000 + 1000)
    expect((await create()).body).toMatchObject({
      errors: [{ message: 'This action is unauthorized.', extensions: { code: 'recent_sign_in_required' } }],
    })
  })

  test('keeps the session alive by asking', async () => {
    const { browser } = await signedIn(service)
    for (let round = 0; round < 3; round++) {
      travel(13 * 86_400_000)
      const { status, headers } = await ask(browser, viewer)
      expect([status, headers.getSetCookie()[0]]).toEqual([200, expect.stringMatching(/^session=/)])
    }
    travel(14 * 86_400_000 + 1000)
    expectStranger(await ask(browser, viewer))
  })
})

describe('the cookie of somebody who is signed in', () => {
  const { port } = new URL(url)
  test.each([
    ['that says nothing of the page', { origin: undefined, 'sec-fetch-site': undefined }],
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['of another site, in an old browser', { origin: 'https://evil.example', 'sec-fetch-site': undefined }],
    ['that contradicts itself', { 'sec-fetch-site': 'cross-site' }],
    ['that contradicts itself the other way', { origin: 'https://evil.example' }],
    ['of another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['of the address bar', { origin: undefined, 'sec-fetch-site': 'none' }],
    ['of no origin', { origin: 'null', 'sec-fetch-site': undefined }],
    ['of a frame in a sandbox', { origin: 'null' }],
    ['of another port', { origin: `http://127.0.0.1:${Number(port) + 1}`, 'sec-fetch-site': undefined }],
    ['of another scheme', { origin: `https://127.0.0.1:${port}`, 'sec-fetch-site': undefined }],
    ['of an origin that begins as ours', { origin: `${url}.evil.example`, 'sec-fetch-site': undefined }],
    ['of a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['of a form with a file', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['of a form of text', { 'content-type': 'text/plain' }],
    ['of something like JSON', { 'content-type': 'text/plain; application/json' }],
    ['of no type', { 'content-type': '' }],
    ['with credentials of another scheme', { authorization: 'Basic YTpi' }],
  ])('is nobody’s in a request %s', async (_, changes) => {
    const { browser } = await signedIn(service)
    expectStranger(await ask(browser, viewer, changes))
  })

  test.each(['GET', 'HEAD', 'PUT'])('is nobody’s in a %s', async (method) => {
    const { user, browser } = await signedIn(service)
    const query = new URLSearchParams({ query: 'mutation { updateProfile(input: { name: "Evil" }) { user { name } } }' })
    const headers = { cookie: cookieOf(browser), ...own, accept: 'application/json', 'content-type': 'application/json' }
    const answer = await fetch(`${url}/graphql?${query}`, { method, headers })
    expect(answer.status).toBe(401)
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).name).toBe(user.name)
  })

  test('is nobody’s beside a bearer credential, which always wins', async () => {
    const { browser } = await signedIn(service)
    const { owner } = await createOwnedTeam(database)
    const { body } = await ask(browser, viewer, { authorization: `Bearer ${await personalToken(database, owner)}` })
    expect(body).toEqual({ data: { viewer: { kind: 'PERSONAL_TOKEN', user: { email: owner.email } } } })
    const { status, headers } = await ask(browser, viewer, { authorization: 'Bearer nonsense' })
    expect([status, headers.get('www-authenticate')]).toEqual([401, `${challenge}, error="invalid_token"`])
  })

  test('opens nothing at the REST API', async () => {
    const { browser } = await signedIn(service)
    const { status } = await fetch(`${url}/api/v1/teams`, { headers: { cookie: cookieOf(browser), ...own } })
    expect(status).toBe(401)
  })

  test('is nobody’s from the next request on, once they signed out, or are disabled or gone', async () => {
    const [out, disabled, gone] = [await signedIn(service), await signedIn(service), await signedIn(service)]
    const kept = new Browser(url)
    for (const [key, cookie] of out.browser.cookies) kept.cookies.set(key, cookie)
    await out.browser.press(out.page, 'Sign out')
    await prisma.user.update({ where: { id: disabled.user.id }, data: { disabledAt: new Date() } })
    await prisma.user.delete({ where: { id: gone.user.id } })
    for (const browser of [out.browser, kept, disabled.browser, gone.browser]) expectStranger(await ask(browser, viewer))
  })
})

test('a session asks no more often than any other credential', async () => {
  const limited = await startService({ rateLimitApi: 3 })
  const { browser } = await signedIn(limited)
  const from = { origin: limited.url }
  const statuses = []
  for (let round = 0; round < 3; round++) statuses.push((await ask(browser, viewer, from)).status)
  const { status, headers, body } = await ask(browser, viewer, from)
  expect([statuses, status, headers.get('ratelimit-policy'), body]).toEqual([
    [200, 200, 200],
    429,
    '"api";q=3;w=60',
    { errors: [{ message: 'Too Many Attempts.', extensions: { code: 'rate_limited', request_id: headers.get('x-request-id') } }] },
  ])
})

test('a new sign-in of the same browser is who asks', async () => {
  const { browser } = await signedIn(service)
  const second = await createPerson(database)
  await enter(browser, second)
  expect((await ask(browser, viewer)).body).toEqual({ data: { viewer: { kind: 'SESSION', user: { email: second.email } } } })
})

test('new passwords, slow to hash, are asked for two at once at most, and told to no address that was never verified', async () => {
  const { user, browser } = await signedIn(service)
  const passwords = (count: number) =>
    `mutation { ${Array.from({ length: count }, (_, i) => `a${i}: changePassword(input: { newPassword: "a new password ${i}" }) { user { id } }`).join(' ')} }`
  const flood = await ask(browser, passwords(3))
  expect([flood.status, flood.body.errors[0].message]).toEqual([400, 'The query is too complex: ask for less at once.'])
  expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).passwordHash).toBe(user.passwordHash)

  const told = () => service.mails.filter((mail) => mail.kind === 'password-changed' && mail.userId === user.id).length
  expect([(await ask(browser, passwords(2))).body.errors, told()]).toEqual([undefined, 2])
  await prisma.user.update({ where: { id: user.id }, data: { emailVerified: false } })
  expect([(await ask(browser, passwords(1))).body.errors, told()]).toEqual([undefined, 2])
})
