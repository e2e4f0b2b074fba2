import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { createTeam, createUser } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { createWaitingMail } from '../../support/mail/waiting-mail.ts'
import { createMailQueue } from '../../support/service/periodic-work.ts'
import { useService } from '../../support/service/service.ts'
import { createWebhook } from '../../support/webhooks/webhook.ts'

// The example of docs/decisions/staff.md#pages, as its reader starts it.

const service = useService()
const { database } = service
beforeAll(() => createMailQueue(service.databaseUrl))

async function startDashboard(token: string): Promise<string> {
  const program = path.join(projectFolder, 'docs', 'examples', 'support-dashboard.mjs')
  const child = spawn('node', [program], { env: { ...process.env, SERVICE_URL: service.url, TOKEN: token, PORT: '0' } })
  onTestFinished(() => void child.kill())
  const [output] = await once(child.stdout, 'data')
  return String(output).trim()
}

test('the example lists failing webhooks and failed emails, and sends one again for a reason', async () => {
  const team = await createTeam(database)
  const { id: webhookId } = await createWebhook(service, team, 'http://127.0.0.1:9/hook', ['team.updated'])
  await database.prisma.webhook.update({ where: { id: webhookId }, data: { failingSince: service.clock.now() } })
  const user = await createUser(database)
  const id = await createWaitingMail(service, user)
  await database.pool.query(
    `UPDATE pgboss.job SET state = 'failed', completed_on = now(), output = '{"error":"<mailbox full>"}' WHERE id = $1`,
    [id],
  )
  const staff = await createStaff(database, { staffRole: 'support' })
  const url = await startDashboard(await staffToken(database, staff, 'acct:staff:write'))

  const html = await (await fetch(url)).text()
  expect(html).toContain(`<li>${team.slug}: 127.0.0.1:9 since `)
  expect(html).toContain(`second-factor-on to ${user.email}: &#60;mailbox full&#62;`)

  const send = (site: string, reason: string) =>
    fetch(url, { method: 'POST', redirect: 'manual', headers: { 'Sec-Fetch-Site': site }, body: new URLSearchParams({ id, reason }) })
  expect((await send('cross-site', 'Mailbox was full')).status).toBe(403)
  expect((await send('same-origin', ' ')).status).toBe(502)
  const stateOf = async () => (await database.pool.query('SELECT state FROM pgboss.job WHERE id = $1', [id])).rows[0].state
  expect(await stateOf()).toBe('failed')
  expect((await send('same-origin', 'Mailbox was full')).status).toBe(303)
  expect(await stateOf()).toBe('retry')
  const entry = await database.prisma.auditEntry.findFirstOrThrow({ where: { action: 'retryMail' } })
  expect(entry).toMatchObject({ actorKind: 'staff', actorUserId: staff.id, reason: 'Mailbox was full', subject: user.id })
})
