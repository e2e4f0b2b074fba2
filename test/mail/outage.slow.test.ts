import { describe, expect, test } from 'vitest'
import { startMailingService, useMailingService } from '../support/mail/mailing-service.ts'
import { request } from '../support/http/request.ts'
import { rejection, startMailServer, useMailServer } from '../support/mail/smtp.ts'
import { createOwnedTeam, unique } from '../support/data/team.ts'
import { reservePort } from '../support/processes/port.ts'
import { executeAs, operator } from '../support/service/in-process.ts'
import { waitFor } from '../support/service/wait.ts'

// No mail server listens at this port until a test starts one.
const placeholder = reservePort()
placeholder.release()
const disconnected = useMailingService({ smtpUrl: `smtp://127.0.0.1:${placeholder.port}` })

/** The errors with which the mail server rejects recipients, by address. */
const rejections = new Map<string, Error>()
let isLinkQuoted = false
const rejectingServer = useMailServer({
  onRecipient: (address) => {
    const error = rejections.get(address)
    if (error) throw error
  },
  onMail: (source) => {
    if (isLinkQuoted) throw rejection(554, `blocked, it contains ${/http\S+\/invitations\/[\w-]+/.exec(source.replace(/=\r\n/g, ''))?.[0]}`)
  },
})
const service = useMailingService({ smtpUrl: rejectingServer.url })

type Service = typeof service

async function invite(to: Service, email = `${unique('guest')}@example.test`) {
  const { team, token } = await createOwnedTeam(to.database)
  const send = () => request(to, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email, role: 'member' } })
  expect((await send()).status).toBe(204)
  return { email, send }
}

/** Sends a mail again, as the command `mail retry` does. Returns the error, or null. */
const retry = async (from: Service, id: string) =>
  (await executeAs(from, operator, 'mutation ($id: ID!) { retryMail(input: { id: $id }) { id } }', { id })).refusal

const recordOf = async ({ outbox }: Service, email: string) => (await outbox.list()).find(({ recipient }) => recipient === email)
const waitForState = (from: Service, email: string, state: string) =>
  waitFor(async () => {
    const record = await recordOf(from, email)
    return record?.state === state ? record : null
  })

describe('the outbox with an unreachable mail server', () => {
  test('accepts invitations, retries, and delivers each once when the server is reachable', async () => {
    const { email, send } = await invite(disconnected)
    const pending = await waitFor(async () => {
      const record = await recordOf(disconnected, email)
      return record && record.attempts >= 2 ? record : null
    })
    expect(pending).toMatchObject({ state: 'pending', lastError: expect.stringContaining('ECONNREFUSED'), endedAt: null })
    // Inviting again replaces the link, so that only the second mail in the outbox has a valid link.
    expect((await send()).status).toBe(204)
    const restored = await startMailServer({ port: placeholder.port })
    await waitFor(async () => (await disconnected.outbox.list('pending')).length === 0)
    expect(restored.mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1)
    const states = (await disconnected.outbox.list())
      .filter(({ recipient }) => recipient === email)
      .map(({ state, lastError }) => [state, lastError])
    expect(states).toEqual([
      ['sent', null],
      ['dropped', 'renewed'],
    ])
  })

  test('sends a pending mail at once when it is retried by hand', async () => {
    const slow = await startMailingService(
      { smtpUrl: `smtp://127.0.0.1:${placeholder.port}` },
      { retryDelaySeconds: 600, maxRetryDelaySeconds: 600 },
    )
    const { email } = await invite(slow)
    const record = await waitFor(async () => {
      const found = await recordOf(slow, email)
      return found?.attempts === 1 && found.nextAttemptAt ? found : null
    })
    expect(new Date(record.nextAttemptAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 200_000)
    const restored = await startMailServer({ port: placeholder.port })
    expect(await retry(slow, record.id)).toBeNull()
    await waitForState(slow, email, 'sent')
    expect(restored.mails).toHaveLength(1)
  })

  test('lists a mail as failed after the last attempt', async () => {
    const once = await startMailingService({ smtpUrl: `smtp://127.0.0.1:${placeholder.port}` }, { retries: 1 })
    const { email } = await invite(once)
    expect(await waitForState(once, email, 'failed')).toMatchObject({
      attempts: 2,
      lastError: expect.stringContaining('ECONNREFUSED'),
      nextAttemptAt: null,
    })
  })
})

describe('the outbox with a mail server that rejects mails', () => {
  test('lists a mail as failed after a permanent error and sends it when it is retried by hand', async () => {
    const address = `${unique('guest')}@example.test`
    rejections.set(address, rejection(550, 'no such user here'))
    const { email } = await invite(service, address)
    const record = await waitForState(service, email, 'failed')
    expect(record).toMatchObject({
      kind: 'invitation',
      attempts: 1,
      lastError: expect.stringContaining('550 no such user here'),
      nextAttemptAt: null,
    })
    expect((await service.outbox.list('failed')).map(({ id }) => id)).toContain(record.id)
    rejections.delete(address)
    expect(await retry(service, record.id)).toBeNull()
    expect(await waitForState(service, email, 'sent')).toMatchObject({ attempts: 2, lastError: null })
    expect(rejectingServer.mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1)
  })

  test('retries after a temporary error', async () => {
    const address = `${unique('guest')}@example.test`
    rejections.set(address, rejection(451, 'come back later'))
    const { email } = await invite(service, address)
    await waitFor(async () => ((await recordOf(service, email))?.attempts ?? 0) >= 2)
    rejections.delete(address)
    await waitForState(service, email, 'sent')
    expect(rejectingServer.mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1)
  })

  test('stores the error message of the server without the link secret', async () => {
    isLinkQuoted = true
    const { email } = await invite(service)
    const { lastError } = await waitForState(service, email, 'failed').finally(() => (isLinkQuoted = false))
    expect(lastError).toContain(`554 blocked, it contains ${service.url}/invitations/…`)
  })
})

describe('retrying by hand', () => {
  test('has no effect on a sent mail or an unknown identifier', async () => {
    const { email } = await invite(service)
    const { id } = await waitForState(service, email, 'sent')
    for (const each of [id, '00000000-0000-4000-8000-000000000000', 'nonsense'])
      expect(await retry(service, each)).toMatchObject({ code: 'not_found' })
  })
})
