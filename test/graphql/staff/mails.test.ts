import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { globalId } from '../../../schema/core/global-id.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createTeam, createUser, unique } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createWaitingMail } from '../../support/mail/waiting-mail.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma, pool } = database
let token: string
beforeAll(async () => {
  token = await staffToken(database, await createStaff(database))
  // Creates the tables of the queue.
  await createWaitingMail(service, await createUser(database))
})

const fields = `mailId kind recipient state isRetryable attempts nextAttemptAt lastError createdAt endedAt user { userId } team { slug }`
const read = async (selection: string) => {
  const { data, errors } = await graphql(service, token, `{ staff { ${selection} } }`)
  return errors.length > 0 ? errors : data.staff
}
const list = async (search: string, more = '') => {
  const { mails } = await read(`mails(search: "${search}" ${more}) { total lastPage nodes { ${fields} } }`)
  return mails
}
const kinds = async (search: string, more = '') => (await list(search, more)).nodes.map(({ kind }: { kind: string }) => kind)

/** Stores a job as pg-boss leaves it. */
async function storeMail(data: object, job: { state?: string; output?: object; attempts?: number; at?: Date } = {}): Promise<string> {
  const { state = 'created', output = null, attempts = 0, at = clock.now() } = job
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO pgboss.job (name, data, state, output, created_on, started_on, completed_on, retry_count, start_after)
     VALUES ('mail', $1, $2::pgboss.job_state, $3, $4::timestamptz, CASE WHEN $5 > 0 THEN $4::timestamptz END,
       CASE WHEN $2 IN ('completed', 'failed') THEN $4::timestamptz END, greatest($5 - 1, 0), $4::timestamptz + interval '1 hour') RETURNING id`,
    [data, state, output, at, attempts],
  )
  return rows[0]?.id ?? ''
}
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const notice = ({ id: userId }: User, kind = 'password-changed') => ({ kind, userId, at: 'x', data: { secret: 'content' } })

async function createLink({ id: userId, email }: User) {
  const row = {
    userId,
    email,
    createdAt: clock.now(),
    expiresAt: clock.now(),
    tokenHash: sha256(unique('link')),
    nonce: Buffer.from('nonce'),
  }
  return prisma.mailLink.create({ data: { ...row, kind: 'verify_email' } })
}

test('a mail with its recipient, state and last error, and without its content', async () => {
  const user = await createUser(database)
  const output = { error: '450 mailbox busy' }
  const id = await storeMail(notice(user), { state: 'retry', output, attempts: 3 })
  const mail = {
    mailId: id,
    kind: 'password-changed',
    recipient: user.email,
    state: 'PENDING',
    isRetryable: true,
    attempts: 3,
    nextAttemptAt: instant,
    lastError: '450 mailbox busy',
    createdAt: instant,
    endedAt: null,
    user: { userId: user.id },
    team: null,
  }
  expect(await read(`mail(id: "${id}") { ${fields} }`)).toEqual({ mail })
  expect(await list(user.email)).toEqual({ total: 1, lastPage: 1, nodes: [mail] })
})

test('the mails of a user: to the account, by links, by invitations of the address, and to the address itself, newest first', async () => {
  const [user, other] = [await createUser(database), await createUser(database)]
  const team = await createTeam(database)
  const at = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000)
  const invitation = await prisma.invitation.create({
    data: {
      teamId: team.id,
      email: user.email,
      role: 'member',
      tokenHash: sha256(unique('i')),
      nonce: Buffer.from('n'),
      sentAt: at(0),
      expiresAt: at(9),
    },
  })
  await storeMail(notice(user), { at: at(-4) })
  await storeMail({ kind: 'verify-email', linkId: (await createLink(user)).id }, { at: at(-3) })
  await storeMail({ kind: 'invitation', invitationId: invitation.id, nonce: 'secret' }, { at: at(-2) })
  await storeMail({ kind: 'invoice-issued', recipient: user.email, invoiceId: user.id }, { at: at(-1) })
  await storeMail(notice(other))
  const expected = ['invoice-issued', 'invitation', 'verify-email', 'password-changed']
  for (const search of [user.email, user.id, globalId({ type: 'User', key: [user.id] }), ` ${user.email.toUpperCase()} `])
    expect(await kinds(search)).toEqual(expected)
  const { nodes } = await list(user.id)
  expect(nodes.map((mail: any) => [mail.recipient, mail.user?.userId ?? null, mail.team?.slug ?? null])).toEqual([
    [user.email, null, null],
    [user.email, null, team.slug],
    [user.email, user.id, null],
    [user.email, user.id, null],
  ])
  expect(await kinds(user.id, 'perPage: 2, page: 2')).toEqual(expected.slice(2))
  expect(await list(user.id, 'perPage: 2, page: 3')).toEqual({ total: 4, lastPage: 2, nodes: [] })
  expect(JSON.stringify(nodes)).not.toContain('secret')
})

test('the mails to an address without an account, and none for an unknown address', async () => {
  const address = `${unique('customer')}@example.test`
  await storeMail({ kind: 'invoice-issued', recipient: address, invoiceId: randomUUID() })
  expect(await kinds(address)).toEqual(['invoice-issued'])
  expect(await list(`${unique('nobody')}@example.test`)).toEqual({ total: 0, lastPage: 1, nodes: [] })
})

describe('the filter by state', () => {
  test('returns the mails of each state, alone and with a recipient', async () => {
    const user = await createUser(database)
    const states = {
      PENDING: await storeMail(notice(user)),
      SENT: await storeMail(notice(user), { state: 'completed', output: { messageId: '<x>' }, attempts: 1 }),
      DROPPED: await storeMail(notice(user), { state: 'completed', output: { dropped: 'the link was replaced' }, attempts: 1 }),
      FAILED: await storeMail(notice(user), { state: 'failed', output: { error: '550 no such user' }, attempts: 1 }),
    }
    for (const [state, id] of Object.entries(states)) {
      const { nodes } = await list(user.id, `, state: ${state}`)
      expect(nodes.map((mail: any) => [mail.mailId, mail.state, mail.isRetryable])).toEqual([
        [id, state, ['PENDING', 'FAILED'].includes(state)],
      ])
      const { mails } = await read(`mails(state: ${state}) { nodes { mailId state } }`)
      expect(mails.nodes).toContainEqual({ mailId: id, state })
      expect(mails.nodes.every((mail: any) => mail.state === state)).toBe(true)
    }
    const { mails } = await read('mails(perPage: 4) { nodes { mailId } }')
    expect(mails.nodes.map((mail: any) => mail.mailId).toSorted()).toEqual(Object.values(states).toSorted())
  })
})

test('a mail that does not exist is not found, nor is another job', async () => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '\\u0000'])
    expect((await read(`mail(id: "${id}") { state }`))[0].extensions.code).toBe('not_found')
})

test.each(['search: "\\u0000"', `search: "${'x'.repeat(255)}"`, 'page: 0', 'perPage: 101'])('refuses mails(%s)', async (args) => {
  expect((await read(`mails(${args}) { total }`))[0].extensions.code).toBe('validation_failed')
})
