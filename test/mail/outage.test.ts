import { afterAll, describe, expect, test } from 'vitest'
import { startMailingService } from '../support/mail.ts'
import { request } from '../support/request.ts'
import { refusal, startMailServer } from '../support/smtp.ts'
import { createOwnedTeam, unique } from '../support/team.ts'
import { waitFor } from '../support/wait.ts'

// A port that is nobody's until the server comes back to it.
const placeholder = await startMailServer()
await placeholder.close()
const away = await startMailingService({ smtpUrl: placeholder.url })

const refused = new Map<string, Error>()
let quote = false
const picky = await startMailServer({
  onRecipient: (address) => {
    const error = refused.get(address)
    if (error) throw error
  },
  onMail: (source) => {
    if (quote) throw refusal(554, `blocked, it contains ${/http\S+\/invitations\/[\w-]+/.exec(source.replace(/=\r\n/g, ''))?.[0]}`)
  },
})
afterAll(picky.close)
const service = await startMailingService({ smtpUrl: picky.url })

type Service = typeof service

async function invite(to: Service, email = `${unique('guest')}@example.test`) {
  const { team, token } = await createOwnedTeam(to.database)
  const send = () => request(to, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email, role: 'member' } })
  expect((await send()).status).toBe(204)
  return { email, send }
}

const recordOf = async ({ outbox }: Service, email: string) => (await outbox.list()).find(({ recipient }) => recipient === email)
const reaches = (of: Service, email: string, state: string) =>
  waitFor(async () => {
    const record = await recordOf(of, email)
    return record?.state === state ? record : null
  })

describe('given a mail server that is away', () => {
  test('invitations are taken all the same, tried again and again, and each delivered once when it is back', async () => {
    const { email, send } = await invite(away)
    const waiting = await waitFor(async () => {
      const record = await recordOf(away, email)
      return record && record.attempts >= 2 ? record : null
    })
    expect(waiting).toMatchObject({ state: 'pending', lastError: expect.stringContaining('ECONNREFUSED') as string, endedAt: null })
    // Renewed while it waits: of the two mails in the outbox only the one that opens anything leaves.
    expect((await send()).status).toBe(204)
    const back = await startMailServer({ port: placeholder.port })
    await waitFor(async () => (await away.outbox.list('pending')).length === 0)
    expect(back.mails.map(({ to }) => to?.[0]?.address)).toEqual([email])
    const states = (await away.outbox.list())
      .filter(({ recipient }) => recipient === email)
      .map(({ state, lastError }) => [state, lastError])
    expect(states).toEqual([
      ['sent', null],
      ['dropped', 'renewed'],
    ])
    await back.close()
  })

  test('a mail that waits can be told to go now', async () => {
    const patient = await startMailingService({ smtpUrl: placeholder.url }, { firstPauseSeconds: 600, longestPauseSeconds: 600 })
    const { email } = await invite(patient)
    const record = await waitFor(async () => {
      const found = await recordOf(patient, email)
      return found?.attempts === 1 && found.nextAttemptAt ? found : null
    })
    expect(new Date(record.nextAttemptAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 200_000)
    const back = await startMailServer({ port: placeholder.port })
    expect(await patient.outbox.retry(record.id)).toBe(true)
    await reaches(patient, email, 'sent')
    expect(back.mails).toHaveLength(1)
    await back.close()
  })

  test('the outbox gives up after the last attempt, visibly', async () => {
    const hasty = await startMailingService({ smtpUrl: placeholder.url }, { retries: 1 })
    const { email } = await invite(hasty)
    expect(await reaches(hasty, email, 'failed')).toMatchObject({
      attempts: 2,
      lastError: expect.stringContaining('ECONNREFUSED') as string,
      nextAttemptAt: null,
    })
  })
})

describe('given a mail server that refuses', () => {
  test('a recipient for good: given up at once, shown, and sent when told to try again', async () => {
    const address = `${unique('guest')}@example.test`
    refused.set(address, refusal(550, 'no such user here'))
    const { email } = await invite(service, address)
    const record = await reaches(service, email, 'failed')
    expect(record).toMatchObject({
      kind: 'invitation',
      attempts: 1,
      lastError: expect.stringContaining('550 no such user here') as string,
      nextAttemptAt: null,
    })
    expect((await service.outbox.list('failed')).map(({ id }) => id)).toContain(record.id)
    refused.delete(address)
    expect(await service.outbox.retry(record.id)).toBe(true)
    expect(await reaches(service, email, 'sent')).toMatchObject({ attempts: 2, lastError: null })
    expect(picky.mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1)
  })

  test('a recipient for now: tried again', async () => {
    const address = `${unique('guest')}@example.test`
    refused.set(address, refusal(451, 'come back later'))
    const { email } = await invite(service, address)
    await waitFor(async () => ((await recordOf(service, email))?.attempts ?? 0) >= 2)
    refused.delete(address)
    await reaches(service, email, 'sent')
    expect(picky.mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1)
  })

  test('and quotes the link: what is kept of the refusal is without the secret', async () => {
    quote = true
    const { email } = await invite(service)
    const { lastError } = await reaches(service, email, 'failed')
    quote = false
    expect(lastError).toContain(`554 blocked, it contains ${service.url}/invitations/…`)
  })
})

describe('retrying', () => {
  test('what was sent, or never was, changes nothing', async () => {
    const { email } = await invite(service)
    const { id } = await reaches(service, email, 'sent')
    expect(await service.outbox.retry(id)).toBe(false)
    expect(await service.outbox.retry('00000000-0000-4000-8000-000000000000')).toBe(false)
    expect(await service.outbox.retry('nonsense')).toBe(false)
  })
})
