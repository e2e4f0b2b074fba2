import { expect, test } from 'vitest'
import { enter, sessionHeader } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createOwnedTeam, join, personalToken, teamToken } from '../../support/data/team.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { usePair } from '../../support/processes/service-pair.ts'
import { patchOf, scim, verifyDomain } from '../../support/scim/directory.ts'
import { isFull } from '../../support/service/full.ts'

const service = usePair({ RATE_LIMIT_API: '0' })
const { database } = service
const [rounds, users] = [isFull ? 34 : 5, 5]

test(
  'two processes refuse each credential of a member from the first request after the directory deactivated them',
  { timeout: 600_000 },
  async () => {
    const { team } = await createOwnedTeam(database)
    const token = await teamToken(database, team, { scopes: ['acct:team:scim'] })
    const domain = `${team.slug}.example`
    await verifyDomain({ database, clock: { now: () => new Date() } }, team, domain)
    const people = []
    for (let n = 0; n < users; n++) {
      const user = await createPerson(database, { email: `u${n}@${domain}` })
      const browser = new Browser(service.url)
      await enter(browser, user, '/account')
      const grant = await accessToken(database, await createGrant(database, user, { team }))
      const credentials = { personal: await personalToken(database, user), grant }
      people.push({ user, cookie: sessionHeader(browser), credentials })
    }
    const setActive = async (id: string, active: boolean) => {
      const { status } = await scim(service, token, 'PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active } }))
      expect(status).toBe(200)
    }
    for (const { user } of people) await join(database, team, user, 'member')
    const counts: Record<string, number> = {}
    for (let round = 0; round < rounds; round++)
      for (const { user, cookie, credentials } of people) {
        if (round > 0) await setActive(user.id, true)
        // The balancer gives each new connection to the next process.
        const get = async (path: string, headers: Record<string, string>) =>
          (await fetch(service.url + path, { headers: { ...headers, Connection: 'close' }, redirect: 'manual' })).status
        const page = () => get(`/teams/${team.slug}/members`, { Cookie: cookie })
        const api = (value: string) => get(`/api/v1/teams/${team.slug}`, { Authorization: `Bearer ${value}` })
        const all = () =>
          Promise.all([
            page(),
            page(),
            api(credentials.personal),
            api(credentials.personal),
            api(credentials.grant),
            api(credentials.grant),
          ])
        expect(await all()).toEqual([200, 200, 200, 200, 200, 200])
        await setActive(user.id, false)
        for (const [index, status] of (await all()).entries()) {
          const key = `${['session', 'personal token', 'grant'][Math.floor(index / 2)]} ${status}`
          counts[key] = (counts[key] ?? 0) + 1
        }
      }
    const each = rounds * users * 2
    expect(counts).toEqual({ 'session 403': each, 'personal token 403': each, 'grant 403': each })
  },
)
