import { describe, expect, test } from 'vitest'
import { request } from '../support/http/request.ts'
import { createOwnedTeam, join, personalToken, teamToken, unique } from '../support/data/team.ts'
import { repetitions } from '../support/service/full.ts'
import { useService } from '../support/service/service.ts'
import { createCleanup } from '../../src/service/cleanup.ts'
import { retention } from '../support/service/test-settings.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database
const hour = 3_600_000

/** A team with a function that invites an address with an idempotency key. */
async function createInviter() {
  const { team, owner, token } = await createOwnedTeam(database)
  const body = { email: `${unique('guest')}@example.test`, role: 'member' }
  const send = (key: string | undefined, input: unknown = body, credential = token, slug = team.slug) =>
    request(service, 'POST', `/api/v1/teams/${slug}/invitations`, {
      token: credential,
      body: input,
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    })
  const sent = async () => {
    const ids = new Set((await prisma.invitation.findMany({ where: { teamId: team.id } })).map(({ id }) => id))
    return mails.filter((mail) => mail.kind === 'invitation' && ids.has(mail.invitationId)).length
  }
  return { team, owner, token, body, send, sent }
}

describe('an invitation that is sent again with its Idempotency-Key', () => {
  test('receives the first response, marked as replayed, and sends no second mail', async () => {
    const { team, body, send, sent } = await createInviter()
    const first = await send('key-1')
    const invitation = await prisma.invitation.findFirstOrThrow({ where: { teamId: team.id } })
    const again = await send('key-1')
    const reordered = await send('key-1', {
      accessible_app_ids: undefined,
      role: body.role,
      unknown: 1,
      email: ` ${body.email.toUpperCase()}`,
    })
    for (const { status, body, headers } of [again, reordered]) {
      expect([status, body, headers.get('idempotency-replayed')]).toEqual([204, null, 'true'])
      expect(headers.get('x-accepted-scopes')).toBe(first.headers.get('x-accepted-scopes'))
      expect(headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
    expect([first.status, first.headers.get('idempotency-replayed'), await sent()]).toEqual([204, null, 1])
    expect(await prisma.invitation.findMany({ where: { teamId: team.id } })).toEqual([invitation])
    expect(await prisma.auditEntry.count({ where: { teamId: team.id } })).toBe(1)
  })

  test('receives 422 if its body differs, and sends no mail', async () => {
    const { body, send, sent } = await createInviter()
    await send('key-1')
    for (const change of [
      { role: 'billing' },
      { email: `${unique('guest')}@example.test` },
      { accessible_app_ids: [] },
      { accessible_app_ids: null },
    ]) {
      const message = 'The Idempotency-Key field was used before, for another request.'
      const { status, body: problem } = await send('key-1', { ...body, ...change })
      const refused = { message, errors: { 'Idempotency-Key': [message] }, code: 'validation_failed', request_id: expect.any(String) }
      expect([status, problem]).toEqual([422, refused])
    }
    expect(await sent()).toBe(1)
  })

  test('at the same time sends one mail', async () => {
    for (let round = 0; round < repetitions({ short: 3, full: 50 }); round++) {
      const { send, sent } = await createInviter()
      const responses = await Promise.all(Array.from({ length: 4 }, () => send('at-once')))
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204])
      expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length).toBe(3)
      expect(await sent()).toBe(1)
    }
  })

  test('after 24 hours is a new one, and the expired keys are deleted', async () => {
    const { send, sent } = await createInviter()
    await send('key-1')
    clock.advance(24 * hour - 1000)
    await send('key-1')
    expect(await sent()).toBe(1)
    clock.advance(1000)
    const { headers } = await send('key-1')
    expect([headers.get('idempotency-replayed'), await sent()]).toEqual([null, 2])
    clock.advance(25 * hour)
    await createCleanup({ database, retention, now: clock.now, report: (error) => expect.fail(String(error)) }).run()
    expect(await prisma.idempotencyKey.count()).toBe(0)
  })
})

describe('an Idempotency-Key', () => {
  test('belongs to one credential and one team', async () => {
    const { team, owner, token, body, send, sent } = await createInviter()
    const other = await createOwnedTeam(database)
    await join(database, other.team, owner, 'owner')
    for (const credential of [token, await personalToken(database, owner), await teamToken(database, team)])
      expect((await send('shared', body, credential)).headers.get('idempotency-replayed')).toBeNull()
    expect((await send('shared', body, token, other.team.slug)).headers.get('idempotency-replayed')).toBeNull()
    expect(await sent()).toBe(3)
  })

  test('is stored only as a digest, like the request', async () => {
    const { body, send } = await createInviter()
    await send('plain-text-key')
    const stored = JSON.stringify(
      await prisma.$queryRaw`SELECT k::text, encode(key_hash, 'escape') AS key, encode(request_hash, 'escape') AS request FROM idempotency_keys k`,
    )
    expect(stored).not.toContain('plain-text-key')
    expect(stored).not.toContain(body.email)
  })

  test('is the same with and without quotation marks, and different in capitals', async () => {
    const { send, sent } = await createInviter()
    await send('"8e03978e-40d5-43dd-bc93-6894a57f9324"')
    expect((await send('8e03978e-40d5-43dd-bc93-6894a57f9324')).headers.get('idempotency-replayed')).toBe('true')
    expect((await send('8E03978E-40D5-43DD-BC93-6894A57F9324')).headers.get('idempotency-replayed')).toBeNull()
    expect(await sent()).toBe(2)
  })

  test.each(['', '""', '"open', 'a b', 'a, b', 'a"b', 'a\\b', 'caf\u00e9', 'x'.repeat(256)])(
    'is refused with 422 if it is %j',
    async (key) => {
      const { send, sent } = await createInviter()
      const { status, body } = await send(key)
      expect([status, Object.keys(body.errors), body.code, await sent()]).toEqual([422, ['Idempotency-Key'], 'validation_failed', 0])
    },
  )

  test('of a refused or failed request can be used again', async () => {
    const { team, owner, body, send, sent } = await createInviter()
    expect((await send('retry', { ...body, email: owner.email })).body.code).toBe('already_member')
    expect((await send('retry', { ...body, role: 'nobody' })).status).toBe(422)
    const readOnly = await personalToken(database, owner, { scopes: ['teams'] })
    expect((await send('retry', body, readOnly)).status).toBe(403)
    await prisma.$executeRaw`ALTER TABLE audit_entries RENAME TO audit_entries_renamed`
    try {
      expect((await send('retry')).status).toBe(500)
    } finally {
      await prisma.$executeRaw`ALTER TABLE audit_entries_renamed RENAME TO audit_entries`
    }
    const { status, headers } = await send('retry')
    expect([status, headers.get('idempotency-replayed'), await sent()]).toEqual([204, null, 1])
    expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(1)
  })

  test('does not replace the 401, 403 and 422 of a request', async () => {
    const { team, body, send } = await createInviter()
    await send('key-1')
    const path = `/api/v1/teams/${team.slug}/invitations`
    const headers = { 'Idempotency-Key': 'key-1' }
    expect((await request(service, 'POST', path, { headers, body })).status).toBe(401)
    const stranger = await createOwnedTeam(database)
    expect((await request(service, 'POST', path, { headers, body, token: stranger.token })).status).toBe(403)
    expect((await send('a b', 'not an object')).body.errors).not.toHaveProperty('Idempotency-Key')
  })

  test('is optional: without it, each request sends a mail', async () => {
    const { send, sent } = await createInviter()
    for (const _ of [1, 2]) expect((await send(undefined)).headers.get('idempotency-replayed')).toBeNull()
    expect(await sent()).toBe(2)
  })
})
