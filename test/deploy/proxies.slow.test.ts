import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../support/data/team.ts'
import { caddy, host, isInstalled, nginx, startProxy } from '../support/deploy/proxy.ts'
import { isFull } from '../support/service/full.ts'
import { useService } from '../support/service/service.ts'
import { waitFor } from '../support/service/wait.ts'

const service = useService({ authUrl: `https://${host}`, trustProxy: 1 })

const proxies = [
  ['nginx.conf', nginx],
  ['Caddyfile', caddy],
] as const

describe.each(proxies)('the service behind deploy/proxy/%s', (file, proxy) => {
  const canRun = isFull && isInstalled(proxy)
  if (isFull && !canRun) console.log(`${proxy.program} is not installed: deploy/proxy/${file} is not tested`)

  test.runIf(canRun)('answers at its public address, with secure cookies, and sends events at once', async () => {
    const { open } = await startProxy(proxy, file, Number(new URL(service.url).port))
    const { team, token } = await createOwnedTeam(service.database)
    const authorization = `Bearer ${token}`

    const teams = await open('/api/v1/teams', { authorization })
    expect([teams.status, JSON.parse(await text(teams.stream)).data[0].slug]).toEqual([200, team.slug])
    const discovery = await open('/.well-known/openid-configuration')
    expect(JSON.parse(await text(discovery.stream)).issuer).toBe(`https://${host}`)
    const page = await open('/sign-in')
    expect([page.status, await text(page.stream)]).toEqual([200, expect.stringContaining('Sign in')])
    expect(String(page.headers['set-cookie'])).toMatch(/; secure/i)
    const large = await open('/graphql', { authorization, 'content-type': 'application/json' }, 'x'.repeat(200_000))
    expect(large.status).toBe(413)

    const query = `subscription { teamEvents(team: "${team.slug}") { action } }`
    const headers = { authorization, accept: 'text/event-stream', 'content-type': 'application/json' }
    const events = await open('/graphql', headers, JSON.stringify({ query }))
    let received = ''
    events.stream.on('data', (chunk: Buffer) => (received += chunk.toString()))
    await waitFor(() => received.includes(':'))
    const mutation = `mutation { updateTeam(input: { team: "${team.slug}", name: "Renamed" }) { team { name } } }`
    const renamed = await open('/graphql', { authorization, 'content-type': 'application/json' }, JSON.stringify({ query: mutation }))
    expect(await text(renamed.stream)).toContain('"name":"Renamed"')
    await waitFor(() => received.includes('"action":"UPDATE_TEAM"'))
  })
})
