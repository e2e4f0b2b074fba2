import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { openClient } from '../../prisma/connection/database.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import type { OwnedTeam } from '../support/data/team.ts'
import { caddy, host, isInstalled, nginx, startProxy } from '../support/deploy/proxy.ts'
import { reservePort } from '../support/processes/port.ts'
import { startMain } from '../support/processes/service-process.ts'
import type { ServiceProcess } from '../support/processes/service-process.ts'
import { useDatabase } from '../support/service/database.ts'
import { isFull } from '../support/service/full.ts'
import { waitFor } from '../support/service/wait.ts'

// Two hosts behind one proxy (docs/operations/several-hosts.md): one after the other is restarted, while requests go on.

const database = useDatabase()
const requests = 2000
const parallel = 10

const proxies = [
  ['nginx.conf', nginx],
  ['Caddyfile', caddy],
] as const

function startHost(port: number): ServiceProcess {
  return startMain({
    PORT: String(port),
    AUTH_URL: `https://${host}`,
    TRUST_PROXY: '1',
    NODE_ENV: 'production',
    SECRET_KEY: 'k2'.repeat(16),
    SHUTDOWN_DELAY: '3',
    DATABASE_URL: database.url,
    DATA_DIR: path.join(inject('runFolder'), `host-${port}`),
  })
}

const isReady = async (port: number) => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200

describe.each(proxies)('two hosts behind deploy/proxy/%s', (file, proxy) => {
  const canRun = isFull && isInstalled(proxy)
  if (isFull && !canRun) console.log(`${proxy.program} is not installed: two hosts behind deploy/proxy/${file} are not tested`)

  test.runIf(canRun)('lose none of 2,000 requests in four restarts', { timeout: 180_000 }, async () => {
    const ports = [reservePort(), reservePort()].map(({ port, release }) => {
      release()
      return port
    })
    const hosts = ports.map((port) => startHost(port))
    const client = openClient(database.poolConfig)
    try {
      for (const port of ports) await waitFor(() => isReady(port))
      // One for each worker, because requests are limited by credential.
      const teams = await Promise.all(Array.from({ length: parallel }, () => createOwnedTeam(client)))
      const { open, setDown } = await startProxy(proxy, file, ...ports)
      const failures: unknown[] = []
      let sent = 0
      const restarting = new AbortController()

      /** Sends reads and changes, one after the other, until the restarts are over. */
      async function work({ team, token }: OwnedTeam): Promise<void> {
        while (sent < requests || !restarting.signal.aborted) {
          const number = sent++
          const isChange = number % 4 === 0
          const query = isChange
            ? `mutation { updateTeam(input: { team: "${team.slug}", name: "Name ${number}" }) { team { name } } }`
            : `{ team(slug: "${team.slug}") { name } }`
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
          const answer = await open('/graphql', headers, JSON.stringify({ query })).catch((error: unknown) => ({
            status: String(error),
            stream: null,
          }))
          const body = answer.stream && (await text(answer.stream))
          if (answer.status !== 200) failures.push([number, answer.status, body])
        }
      }

      async function restart(index: number): Promise<void> {
        const [port = 0, present] = [ports[index], hosts[index]]
        await setDown(port)
        present?.signal('SIGTERM')
        expect(await present?.ended).toBe(0)
        hosts[index] = startHost(port)
        await waitFor(() => isReady(port))
        await setDown(null)
      }

      const working = Promise.all(teams.map(work))
      for (const index of [0, 1, 0, 1]) await restart(index)
      restarting.abort()
      await working
      expect([failures, sent >= requests]).toEqual([[], true])
    } finally {
      for (const each of hosts) each.signal('SIGKILL')
      await client.close()
    }
  })
})
