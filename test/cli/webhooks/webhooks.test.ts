import { beforeAll, describe, expect, test } from 'vitest'
import { insertDelivery } from '../../support/webhooks/delivery-row.ts'
import { useCli } from '../../support/service/cli.ts'

const { pool, run, answer } = useCli()
const unknown = '00000000-0000-4000-8000-000000000000'
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/)
const url = 'https://example.com/hook'

beforeAll(async () => {
  for (const slug of ['acme', 'other']) await answer('team', 'create', '--slug', slug, '--name', slug)
})
const create = (...args: string[]) => answer('webhook', 'create', '--url', url, ...args)

describe('the webhook commands', () => {
  test('create a webhook and print its secret once, list and show it without', async () => {
    const created = await create(
      '--team',
      'acme',
      '--types',
      'member.removed,team.updated',
      '--types',
      'team.updated',
      '--description',
      'Sync',
    )
    const webhook = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url,
      description: 'Sync',
      types: ['team.updated', 'member.removed'],
      state: 'enabled',
      failing_since: null,
      disabled_at: null,
      disabled_reason: null,
      previous_secret_expires_at: null,
      last_day: { delivered: 0, failed: 0 },
      created_at: instant,
      updated_at: instant,
    }
    expect(created).toEqual({ ...webhook, secret })
    expect((await answer('webhook', 'list', '--team', 'acme')).data).toEqual([webhook])
    expect((await answer('webhook', 'list', '--team', 'other')).data).toEqual([])
    expect(await answer('webhook', 'show', created.id)).toEqual({ ...webhook, deliveries: [] })
    const printed = await run('webhook', 'create', '--team', 'other', '--url', 'http://localhost:4000/hook')
    expect(printed).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Created webhook \S{36}\. Its secret, which is not shown again:\nwhsec_\S{32}\n$/),
    })
    expect((await run('webhook', 'list', '--team', 'other')).stdout).toMatch(
      /^http:\/\/localhost:4000\/hook +enabled +\S{36} +– +0 +0 +all/m,
    )
  })

  test('create and list webhooks of all teams’ events', async () => {
    const created = await create('--all-teams')
    expect((await answer('webhook', 'list', '--all-teams')).data.map(({ id }: { id: string }) => id)).toEqual([created.id])
    expect(await answer('webhook', 'delete', created.id, '--yes')).toMatchObject({ id: created.id })
    expect((await answer('webhook', 'list', '--all-teams')).data).toEqual([])
    const entries = `SELECT action, team_id FROM audit_entries WHERE subject = $1 ORDER BY at`
    expect((await pool.query(entries, [created.id])).rows).toEqual([
      { action: 'createWebhook', team_id: null },
      { action: 'deleteWebhook', team_id: null },
    ])
  })

  test('show the last deliveries', async () => {
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM teams WHERE slug = 'other'`)
    await insertDelivery(pool, rows[0]?.id ?? '', new Date())
    const { data } = await answer('webhook', 'list', '--team', 'other')
    const { id } = data.find((each: { url: string }) => each.url === 'https://example.com/hook')
    const delivery = {
      type: 'team.updated',
      is_test: true,
      attempt: 1,
      result: 'failed',
      status: null,
      error: null,
      latency_milliseconds: 1,
    }
    expect((await answer('webhook', 'show', id)).deliveries).toEqual([{ ...delivery, id: expect.any(String), at: instant }])
    expect((await run('webhook', 'show', id)).stdout).toMatch(/^types +all$/m)
    expect((await run('webhook', 'show', id)).stdout).toMatch(/^\S+Z +failed +– +1 ms +1 +team\.updated \(test\)/m)
    await answer('webhook', 'delete', id, '--yes')
  })

  test('update, disable, enable, rotate the secret of, replay and delete a webhook', async () => {
    const { id } = await create('--team', 'acme')
    const update = (...args: string[]) => answer('webhook', 'update', id, ...args)
    expect(await update('--url', 'https://example.org/', '--types', 'team.updated')).toMatchObject({
      url: 'https://example.org/',
      types: ['team.updated'],
      description: '',
    })
    expect(await update('--types', '', '--description', 'All')).toMatchObject({
      types: [],
      description: 'All',
      url: 'https://example.org/',
    })
    expect(await update('--disable')).toMatchObject({ state: 'disabled', disabled_reason: 'request', disabled_at: instant })
    expect(await run('webhook', 'update', id, '--enable', '--from', 'present')).toMatchObject({
      stdout: `Updated webhook ${id}. It is enabled.\n`,
    })
    expect(await answer('webhook', 'rotate-secret', id, '--overlap', '1h')).toMatchObject({ secret, previous_secret_expires_at: instant })
    expect((await run('webhook', 'rotate-secret', id)).stdout).toMatch(/^whsec_\S{32}\n$/)
    expect(await answer('webhook', 'replay', id, '--since', '2020-01-01', '--until', '2021-01-01T00:00Z', '--only-failed')).toMatchObject({
      events: 0,
    })
    expect(await run('webhook', 'replay', id, '--since', '2020-01-01')).toMatchObject({
      stdout: '0 events will be delivered to https://example.org/.\n',
    })
    const withoutYes = await run('webhook', 'delete', id)
    expect([withoutYes.status, withoutYes.stdout]).toEqual([2, ''])
    expect(await run('webhook', 'delete', id, '--yes')).toMatchObject({ stdout: `Deleted webhook ${id}.\n` })
    expect(await run('webhook', 'show', id)).toEqual({ status: 1, stdout: '', stderr: `unknown webhook ${id}\n` })
  })
})

describe('refused arguments of webhook commands', () => {
  const oneOwner = 'one of --team SLUG and --all-teams is required'
  test.each([
    [['create', '--url', url], 2, oneOwner],
    [['create', '--url', url, '--team', 'acme', '--all-teams'], 2, oneOwner],
    [['list'], 2, oneOwner],
    [['list', '--team', 'none'], 1, 'unknown team none'],
    [['create', '--url', url, '--team', 'none'], 1, 'unknown team none'],
    [['create', '--url', 'http://example.com/', '--team', 'acme'], 2, '--url http://example.com/ must '],
    [['create', '--url', 'https://10.0.0.1/', '--team', 'acme'], 2, '--url https://10.0.0.1/ must '],
    [['create', '--url', url, '--team', 'acme', '--types', 'team.update'], 2, 'unknown event type team.update; did you mean team.updated?'],
    [['update', unknown, '--types', 'nothing,team.updated'], 2, 'unknown event type nothing'],
    [['update', unknown, '--enable', '--disable'], 2, 'only one of --enable and --disable can be used'],
    [['update', unknown, '--disable', '--from', 'present'], 2, '--from is used with --enable'],
    [['update', unknown, '--enable', '--from', 'begin'], 2, '--from must be one of stopped, present; it is begin'],
    [['update', unknown, '--enable'], 1, `unknown webhook ${unknown}`],
    [['show', 'x'], 1, 'unknown webhook x'],
    [['show', 'x\0'], 1, 'unknown webhook x'],
    [['rotate-secret', unknown], 1, `unknown webhook ${unknown}`],
    [['rotate-secret', unknown, '--overlap', '2h'], 2, '--overlap must be one of 0, 1h, 1d, 7d; it is 2h'],
    [['delete', unknown, '--yes'], 1, `unknown webhook ${unknown}`],
    [['replay', unknown], 2, '--since TIME is required'],
    [['replay', unknown, '--since', '2026-02-30'], 2, '--since must be a date such as'],
    [['replay', unknown, '--since', '2026-02-02', '--until', '2026-02-02'], 2, '--until must be later than --since'],
    [['replay', unknown, '--since', '2026-02-02'], 1, `unknown webhook ${unknown}`],
  ])('%j: %i, %s', async (args, status, message) => {
    const refused = await run('webhook', ...args)
    expect(refused).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) })
  })

  test('create nothing', async () => {
    expect((await pool.query(`SELECT 1 FROM webhooks w JOIN teams t ON t.id = w.team_id WHERE w.url LIKE '%10.0.0.1%'`)).rows).toEqual([])
  })
})
