import { spawn } from 'node:child_process'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isEventType, eventTypes } from '../../../schema/events/event-types.ts'
import { eventData } from '../../../schema/events/event-data.ts'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { createTokenValue } from '../../../schema/tokens/token-value.ts'
import { imageBytes } from '../../support/data/pictures.ts'
import { pngImage } from '../../support/data/png.ts'
import { settled } from '../../support/data/settled.ts'
import { createOwnedTeam, createUser } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { childEnvironment } from '../../support/processes/child-environment.ts'
import { exitStatusOf } from '../../support/processes/exit-status.ts'
import { runCli } from '../../support/service/cli.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'

const service = useService()
const { database } = service
const cliProgram = path.join(projectFolder, 'dist', 'cli.js')

interface Event {
  type: string
  data: Record<string, unknown>
}

const importOf = (records: readonly object[], ...options: string[]) =>
  runCli(
    { DATABASE_URL: service.databaseUrl },
    ['import', '-', ...options],
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  )

const invoiceOf = (team: string) => (number: string, changes: object) => ({
  type: 'invoice',
  team,
  number,
  status: 'open',
  currency: 'eur',
  tax: 19,
  invoice_date: '2026-01-31',
  due_date: '2026-02-14',
  lines: [{ description: 'Seats', quantity: 1, unit_amount: 100 }],
  ...changes,
})

/** A team with an owner and a user who is no member, and functions that import and return what the feed then contains. */
async function createTeam() {
  const { team: stored, owner, token } = await createOwnedTeam(database)
  const { slug } = stored
  const other = (await createUser(database)).email
  const member = (user: string, changes: object) => ({ type: 'member', team: slug, user, role: 'owner', ...changes })
  const eventsOf = async (): Promise<Event[]> => {
    await settled(database.pool)
    const { body } = await request(service, 'GET', `/api/v1/teams/${slug}/events?per_page=100`, { token })
    return body.data
  }
  const tell = async (...records: object[]) => {
    const present = await eventsOf()
    expect(await importOf(records, '--emit-events')).toMatchObject({ status: 0, stderr: '' })
    return (await eventsOf()).slice(present.length)
  }
  const team = { type: 'team', slug, name: 'Acme' }
  return { slug, token, owner: owner.email, other, team, member, invoice: invoiceOf(slug), eventsOf, tell }
}

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type)

describe('an import with --emit-events', () => {
  test.each<[what: string, before: object | null, after: object, types: readonly string[]]>([
    ['a new invoice', null, {}, ['invoice.issued']],
    ['a new invoice that is paid already', null, { status: 'paid', amount_paid: 119 }, ['invoice.issued', 'invoice.paid']],
    ['a new uncollectible invoice', null, { status: 'uncollectible' }, ['invoice.issued']],
    ['a new void invoice', null, { status: 'void' }, []],
    ['the same invoice', {}, {}, []],
    ['another due date', {}, { due_date: '2026-03-01' }, ['invoice.updated']],
    ['other lines with the same sum', {}, { lines: [{ description: 'Other', quantity: 1, unit_amount: 100 }] }, ['invoice.updated']],
    ['a part of the payment', {}, { amount_paid: 50 }, ['invoice.updated']],
    ['a payment', {}, { status: 'paid', amount_paid: 119 }, ['invoice.paid']],
    ['a payment that is taken back', { status: 'paid' }, {}, ['invoice.updated']],
    ['a cancellation', {}, { status: 'void' }, ['invoice.updated']],
  ])('tells of %s', async (_, before, after, types) => {
    const { invoice, tell, eventsOf } = await createTeam()
    if (before) expect((await importOf([invoice('A-1', before)])).status).toBe(0)
    expect(await eventsOf()).toEqual([])
    const events = await tell(invoice('A-1', after))
    expect(typesOf(events)).toEqual(types)
    for (const { type, data } of events) expect(isEventType(type) && eventData[eventTypes[type].subject].strict().parse(data)).toEqual(data)
    expect(await tell(invoice('A-1', after))).toEqual([])
  })

  test('says what the invoice is now, and who imported it', async () => {
    const { invoice, tell, slug, token } = await createTeam()
    const [event] = await tell(invoice('A-1', { amount_paid: 20, due_date: null }))
    expect(event).toMatchObject({ team: slug, actor: { kind: 'operator', id: null, name: expect.stringMatching(/./) } })
    const { body } = await request(service, 'GET', `/api/v1/teams/${slug}/invoices`, { token })
    const [{ id, number, status, currency, total, amount_due, due_date }] = body.data
    expect(event?.data).toEqual({ invoice_id: id, number, status, currency, total, amount_due, due_date })
    expect([total, amount_due, due_date]).toEqual([119, 99, null])
    const [voided] = await tell(invoice('A-1', { status: 'void' }))
    expect(voided?.data).toMatchObject({ status: 'void', amount_due: 0, due_date: '2026-02-14' })
  })

  test('tells of the lines of a file in their order', async () => {
    const { invoice, tell } = await createTeam()
    const events = await tell(invoice('A-1', {}), invoice('A-1', { tax: 0 }), invoice('A-1', { status: 'paid' }), invoice('A-1', {}))
    expect(typesOf(events)).toEqual(['invoice.issued', 'invoice.updated', 'invoice.paid', 'invoice.updated'])
  })

  test('tells of a logo, alone or with other changes of the team, and not of the same logo', async () => {
    const { team, tell } = await createTeam()
    const logo = pngImage.toString('base64')
    const path = expect.stringMatching(/^\/pictures\/[\w-]{22}\.webp$/)
    const [first] = await tell({ ...team, logo })
    expect(first).toMatchObject({ type: 'team.updated', data: { changes: { logo: { before: null, after: path } } } })
    expect(await tell({ ...team, logo }, { ...team })).toEqual([])
    const other = (await imageBytes('png')).toString('base64')
    const [second] = await tell({ ...team, name: 'Acme & Sons', logo: other })
    expect(second?.data).toEqual({ changes: { name: { before: 'Acme', after: 'Acme & Sons' }, logo: { before: path, after: path } } })
  })

  test('writes events of teams, members and team tokens, too', async () => {
    const { team, member, other, tell } = await createTeam()
    const token = { type: 'token', kind: 'team', team: team.slug, name: 'CI', scopes: ['acct:team:read'], value: createTokenValue('team') }
    const changed = { ...team, name: 'Acme Inc.', two_factor_required_at: '2999-05-01T00:00:00Z' }
    const first = await tell(changed, member(other, { role: 'member', accessible_app_ids: ['deploy'] }), token)
    expect(typesOf(first)).toEqual(expect.arrayContaining(['team.updated', 'team.updated', 'member.joined', 'token.created']))
    expect(first.find(({ type }) => type === 'member.joined')?.data).toMatchObject({ email: other, accessible_app_ids: ['deploy'] })
    expect(await tell(changed, member(other, { role: 'member', accessible_app_ids: ['deploy'] }), token)).toEqual([])
    const [updated] = await tell(member(other, { role: 'billing' }))
    expect(updated).toMatchObject({ type: 'member.updated', data: { changes: { role: { before: 'member', after: 'billing' } } } })
  })

  test('does not tell of a demotion that is undone, and tells of a transfer', async () => {
    const { member, owner, other, eventsOf, tell } = await createTeam()
    expect((await importOf([member(owner, { role: 'member' })], '--emit-events', '--partial')).status).toBe(1)
    expect(await eventsOf()).toEqual([])
    const events = await tell(member(owner, { role: 'billing' }), member(other, {}))
    expect(typesOf(events).toSorted()).toEqual(['member.joined', 'member.updated'])
  })

  test('writes no event if it is killed', async () => {
    const { invoice, eventsOf } = await createTeam()
    const child = spawn(process.execPath, [cliProgram, 'import', '-', '--emit-events'], {
      env: childEnvironment({ DATABASE_URL: service.databaseUrl }),
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    // More than a chunk, so that entries are written while the rest of the file is awaited.
    for (let number = 0; number <= 1000; number++) child.stdin.write(`${JSON.stringify(invoice(`A-${number}`, {}))}\n`)
    const importing = async () => {
      const { rows } = await database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction' AND query ~ 'pg_class|^ANALYZE'`,
      )
      return rows.length > 0
    }
    await waitFor(importing)
    child.kill('SIGKILL')
    await exitStatusOf(child)
    await waitFor(async () => !(await importing()))
    expect(await eventsOf()).toEqual([])
  })

  test('writes no event if a line is wrong', async () => {
    const { invoice, eventsOf } = await createTeam()
    expect((await importOf([invoice('A-1', {}), invoice('A-2', { currency: 'x' })], '--emit-events')).status).toBe(1)
    expect(await eventsOf()).toEqual([])
  })
})
