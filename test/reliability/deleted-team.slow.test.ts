import { Agent, request } from 'node:http'
import { expect, test } from 'vitest'
import { Browser } from '../support/browser/browser.ts'
import { enter } from '../support/account-site/page-content.ts'
import { accessToken, createGrant } from '../support/oauth/oauth-rows.ts'
import { createPerson } from '../support/oauth/oauth.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { createTeam, join, personalToken, teamToken } from '../support/data/team.ts'

const service = usePair()
const { database } = service
const agent = new Agent({ keepAlive: true })

/** Sends a request directly to one process. */
const get = (port: number, path: string, token: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: new URL(service.url).host, authorization: `Bearer ${token}` }
    const outgoing = request({ port, host: '127.0.0.1', path, headers, agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

test('a team that one process deletes is lost to every credential at the next request to any process', async () => {
  const owner = await createPerson(database)
  const teams = [await createTeam(database), await createTeam(database), await createTeam(database)]
  for (const team of teams) await join(database, team, owner, 'owner')
  const personal = await personalToken(database, owner)
  const browser = new Browser(service.url)
  await enter(browser, owner, '/account')
  for (const team of teams) {
    const credentials = [
      await teamToken(database, team),
      personal,
      await accessToken(database, await createGrant(database, owner, { team })),
    ]
    const path = `/api/v1/teams/${team.slug}`
    const page = await browser.open(`/teams/${team.slug}/settings`)
    // Requests that arrive during the deletion succeed or fail; the deletion has returned before those that follow it.
    const ended = new AbortController()
    const concurrent = service.ports.map(async (port) => {
      const statuses = new Set<number | undefined>()
      while (!ended.signal.aborted) for (const token of credentials) statuses.add(await get(port, path, token))
      return statuses
    })
    const deletion = browser.press(page, 'Delete this team', { 'Type the team’s slug to confirm': team.slug })
    expect((await deletion.finally(() => ended.abort())).status).toBe(200)
    const statuses = service.ports.flatMap((port) => credentials.map((token) => get(port, path, token)))
    expect(await Promise.all(statuses)).toEqual([401, 403, 401, 401, 403, 401])
    // 503 is the answer of a process that waited for its busy database too long.
    for (const each of await Promise.all(concurrent)) expect([200, 401, 403, 503]).toEqual(expect.arrayContaining([...each]))
  }
})
