import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCli } from '../../../support/service/cli.ts'

const cli = useCli()
beforeAll(async () => {
  for (const slug of ['acme', 'other']) await cli.answer('team', 'create', '--slug', slug, '--name', slug)
})

const record = (changes: object = {}) => ({
  type: 'webhook',
  id: randomUUID(),
  team: 'acme',
  url: 'https://hooks.example.com/',
  ...changes,
})
const show = (id: string) => cli.answer('webhook', 'show', id)

describe('an import of webhooks', () => {
  test('creates them disabled, to be enabled with a secret that their owner creates', async () => {
    const webhook = record({ types: ['team.updated'], description: 'Sync', created_at: '2026-01-31T09:30:00Z' })
    expect(await cli.import([webhook])).toMatchObject({ status: 0 })
    const imported = { url: webhook.url, types: ['team.updated'], description: 'Sync', state: 'disabled', disabled_reason: 'request' }
    expect(await show(webhook.id)).toMatchObject({ ...imported, created_at: '2026-01-31T09:30:00.000Z' })
    const enabled = await cli.run('webhook', 'update', webhook.id, '--enable')
    expect(enabled).toEqual({ status: 1, stdout: '', stderr: 'the webhook has no secret yet. Rotate it first\n' })
    expect((await cli.answer('keys', 'reencrypt')).data).toContainEqual(expect.objectContaining({ kind: 'webhook_secrets', unreadable: 0 }))
    const rotated = await cli.answer('webhook', 'rotate-secret', webhook.id)
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previous_secret_expires_at: null })
    expect(await cli.answer('webhook', 'update', webhook.id, '--enable')).toMatchObject({ state: 'enabled' })
  })

  test('changes an existing one, and keeps its state and secret', async () => {
    const { id } = await cli.answer(
      'webhook',
      'create',
      '--team',
      'other',
      '--url',
      'https://hooks.example.com/old',
      '--types',
      'team.updated',
    )
    const secretOf = async () => (await cli.pool.query('SELECT secret FROM webhooks WHERE id = $1', [id])).rows[0].secret
    const before = await secretOf()
    await cli.import([record({ id, team: 'other', description: 'New' })])
    expect(await show(id)).toMatchObject({ url: 'https://hooks.example.com/', description: 'New', types: [], state: 'enabled' })
    expect(await secretOf()).toEqual(before)
  })

  test('refuses the webhook of another team, the twenty-first of a team, an unknown type and an unusable URL', async () => {
    const { id } = await cli.answer('webhook', 'create', '--team', 'other', '--url', 'https://hooks.example.com/')
    const all = await cli.answer('webhook', 'create', '--all-teams', '--url', 'https://hooks.example.com/')
    for (const [wrong, message] of [
      [{ id }, 'The webhook does not belong to this team.'],
      [{ id: all.id }, 'The webhook does not belong to this team.'],
      [{ id: 'x' }, 'UUID'],
      [{ team: 'none' }, 'There is no team none.'],
      [{ types: ['nothing'] }, 'types'],
      [{ url: 'ftp://hooks.example.com/' }, 'must be a URL without user information and fragment.'],
      [{ secret: 'whsec_x' }, 'secret'],
    ] as const) {
      const { status, stderr } = await cli.import([record(wrong)])
      expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
    }
    const many = Array.from({ length: 21 }, () => record({ team: 'other' }))
    const { status, stderr } = await cli.import(many)
    expect([status, stderr]).toEqual([1, expect.stringContaining('A team can have at most 20 webhooks.')])
    expect((await cli.answer('webhook', 'list', '--team', 'other')).data).toHaveLength(2)
  })

  test('leaves webhooks of all teams’ events and secrets out of the export', async () => {
    const { stdout } = await cli.run('export')
    const webhooks = stdout.split('\n').filter((line) => line.includes('"type":"webhook"'))
    expect(webhooks.map((line) => JSON.parse(line).team)).toEqual(['acme', 'other', 'other'])
    expect(stdout).not.toContain('secret')
  })
})
