import { expect, test } from 'vitest'
import { enter, sessionHeader } from '../support/account-site/page-content.ts'
import { Browser } from '../support/browser/browser.ts'
import { createTeam, join, personalToken, unique } from '../support/data/team.ts'
import { sendExactly } from '../support/http/exact-request.ts'
import { useProviders } from '../support/identity-providers/provider.ts'
import { addDomain, addProvider, signInAtProvider } from '../support/identity-providers/team-provider.ts'
import { accessToken, createGrant } from '../support/oauth/oauth-rows.ts'
import { createPerson } from '../support/oauth/oauth.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { isFull } from '../support/service/full.ts'

const service = usePair({ OUTGOING_ALLOWED_HOSTS: '127.0.0.1', RATE_LIMIT_API: '0' })
const { database } = service
const { prisma } = database
const providers = useProviders(() => new Date())
const rounds = isFull ? 50 : 5

/** The statuses of requests with a session, a personal token and a token of a client, directly to the second process. */
async function statuses(slug: string, browser: Browser, tokens: readonly string[]): Promise<(number | undefined)[]> {
  const second = { url: `http://127.0.0.1:${service.ports[1]}` }
  const get = async (path: string, headers: Record<string, string>) =>
    (await sendExactly(second, { method: 'GET', path, headers: { host: new URL(service.url).host, ...headers } })).status
  return Promise.all([
    get(`/teams/${slug}/members`, { accept: 'text/html', cookie: sessionHeader(browser) }),
    ...tokens.map((token) => get(`/api/v1/teams/${slug}`, { authorization: `Bearer ${token}` })),
  ])
}

test('required sign-in that one process turns on, meets or lifts counts in another at the next request', { timeout: 300_000 }, async () => {
  const team = await createTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const idp = await providers.create()
  const provider = await addProvider(database, team, idp, { testedAt: new Date() })
  const domain = `${unique('acme')}.example`
  await addDomain(database, team, domain)
  // Every page and form below goes to the first process.
  await service.useOnly(0)
  const requirement = `/teams/${team.slug}/sign-in/requirement`
  const ofOwner = new Browser(service.url)
  await enter(ofOwner, owner, requirement)
  for (let round = 0; round < rounds; round++) {
    const subject = unique('subject')
    const member = await createPerson(database, { email: `${subject}@${domain}` })
    await join(database, team, member, 'member')
    const longAgo = new Date(Date.now() - 90 * 86_400_000)
    const identity = { providerId: provider.id, subject, userId: member.id, email: member.email, lastSignInAt: longAgo }
    await prisma.externalIdentity.create({ data: identity })
    const browser = new Browser(service.url)
    await enter(browser, member)
    const tokens = [await personalToken(database, member), await accessToken(database, await createGrant(database, member, { team }))]
    expect(await statuses(team.slug, browser, tokens)).toEqual([200, 200, 200])

    const required = await ofOwner.press(await ofOwner.open(requirement), 'Require sign-in', { 'Grace period in days': '0' })
    expect(required.text).toContain('Sign-in is required in')
    expect(await statuses(team.slug, browser, tokens)).toEqual([403, 403, 403])

    idp.claims = { sub: subject, email: member.email }
    expect((await signInAtProvider(browser, provider.id, { return_to: '/account' })).url.pathname).toBe('/account')
    expect(await statuses(team.slug, browser, tokens)).toEqual([200, 200, 200])

    await prisma.externalIdentity.updateMany({ where: { subject }, data: { lastSignInAt: longAgo } })
    expect(await statuses(team.slug, browser, tokens)).toEqual([403, 403, 403])
    await ofOwner.press(await ofOwner.open(requirement), 'Stop requiring it')
    expect(await statuses(team.slug, browser, tokens)).toEqual([200, 200, 200])
  }
})
