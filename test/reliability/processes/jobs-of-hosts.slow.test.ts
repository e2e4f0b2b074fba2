import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { useMailServer } from '../../support/mail/smtp.ts'
import { startMain } from '../../support/processes/service-process.ts'
import type { ServiceProcess } from '../../support/processes/service-process.ts'
import { useDatabase } from '../../support/service/database.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { waitFor } from '../../support/service/wait.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import { createWebhook } from '../../support/webhooks/webhook.ts'

const { poolConfig, url: databaseUrl } = useDatabase()
const database = openClient(poolConfig)
const smtp = useMailServer()
const hosts: ServiceProcess[] = []
afterAll(async () => {
  for (const { signal, ended } of hosts) {
    signal('SIGTERM')
    await ended
  }
  await database.close()
})

async function startHost(name: string, RUN_JOBS: string): Promise<string> {
  const DATA_DIR = path.join(inject('runFolder'), `${name}-${process.pid}`)
  const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, SMTP_URL: smtp.url, OUTGOING_ALLOWED_HOSTS: '127.0.0.1' }
  const host = startMain({ ...settings, DATA_DIR, RUN_JOBS, LOG_LEVEL: 'error' })
  hosts.push(host)
  return host.origin
}

test('a host with RUN_JOBS=false leaves emails and webhooks to the other hosts', async () => {
  const origin = await startHost('web', 'false')
  const { team, token } = await createOwnedTeam(database)
  const { url, received } = await startReceiver()
  await createWebhook({ database, clock: { now: () => new Date(), advance: () => {} }, mails: [] }, team, url)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = async (method: string, place: string, body: object) =>
    (await fetch(`${origin}/api/v1/teams/${team.slug}${place}`, { method, headers, body: JSON.stringify(body) })).status
  expect(await send('PATCH', '', { name: 'Renamed' })).toBe(200)
  expect(await send('POST', '/invitations', { email: 'guest@example.test', role: 'member' })).toBe(204)
  await delay(3000)
  expect([received.length, smtp.mails.length]).toEqual([0, 0])

  await startHost('jobs', 'true')
  const recipients = () => smtp.mails.map(({ to }) => to?.[0]?.address)
  await waitFor(() => received.length === 2 && recipients().includes('guest@example.test'), 30)
  expect(received.map(({ event }) => event.type)).toEqual(['team.updated', 'invitation.created'])
})
