import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCli, useCli } from '../../support/service/cli.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const cli = useCli()
const settings = { SECRET_KEY: secretKey }

beforeAll(async () => {
  await cli.answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
})
beforeEach(async () => void (await cli.pool.query('DELETE FROM webhooks')))

async function create(...owner: string[]): Promise<string> {
  const line = ['webhook', 'create', '--url', 'https://hooks.example.com/', ...owner, '--json']
  return JSON.parse((await runCli({ ...cli.env, ...settings }, line)).stdout).id
}

interface Problem {
  problem: string
  action: string
  rows?: { first: string[] }
}

/** The problems and warnings that a check of `doctor` finds, each followed by its rows. */
async function problemsOf(check: string, changes: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await runCli({ ...cli.env, ...settings, ...changes }, ['doctor', '--json'])
  const { data }: { data: { check: string; problems: Problem[]; warnings: Problem[] }[] } = JSON.parse(stdout)
  const { problems = [], warnings = [] } = data.find((each) => each.check === check) ?? {}
  for (const { action } of [...problems, ...warnings]) expect(action.length).toBeGreaterThan(10)
  const lines = (found: readonly Problem[], prefix: string) =>
    found.flatMap(({ problem, rows }) => [prefix + problem, ...(rows?.first.map((line) => `- ${line}`) ?? [])])
  return [...lines(problems, ''), ...lines(warnings, 'warning: ')]
}

describe('doctor finds', () => {
  test('nothing wrong with webhooks that work, are disabled by request, or fail while most do not', async () => {
    const ids = [await create('--team', 'acme'), await create('--team', 'acme')]
    await cli.pool.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [ids[0]])
    await cli.pool.query(`UPDATE webhooks SET disabled_at = now(), disabled_reason = 'request', url = 'http://10.0.0.1/' WHERE id = $1`, [
      ids[1],
    ])
    expect(await problemsOf('webhooks')).toEqual([])
  })

  test('webhooks of the operator that fail or were disabled', async () => {
    const [failing, gone] = [await create('--all-teams'), await create('--all-teams')]
    await cli.pool.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [failing])
    await cli.pool.query(`UPDATE webhooks SET disabled_at = now(), disabled_reason = 'gone' WHERE id = $1`, [gone])
    const name = (id: string) => `the webhook ${id} of all teams’ events (https://hooks.example.com/)`
    expect(await problemsOf('webhooks')).toEqual([`${name(failing)} fails`, `${name(gone)} was disabled`])
  })

  test('many webhooks of teams that fail at once', async () => {
    for (let count = 0; count < 4; count++) await create('--team', 'acme')
    await cli.pool.query('UPDATE webhooks SET failing_since = now()')
    expect(await problemsOf('webhooks')).toEqual(['4 of 4 webhooks fail'])
  })

  test('a secret that another SECRET_KEY encrypted', async () => {
    const id = await create('--team', 'acme')
    expect(await problemsOf('webhooks', { SECRET_KEY: 'other-'.repeat(8) })).toEqual([
      'the secret of 1 webhook cannot be decrypted',
      `- the webhook ${id} of team acme (https://hooks.example.com/)`,
    ])
    expect(await problemsOf('webhooks', { SECRET_KEY: 'other-'.repeat(8), SECRET_KEY_PREVIOUS: secretKey })).toEqual([])
  })

  test('URLs that are refused now', async () => {
    const [id, all] = [await create('--team', 'acme'), await create('--all-teams')]
    await cli.pool.query(`UPDATE webhooks SET url = 'https://10.0.0.1/'`)
    expect(await problemsOf('webhooks')).toEqual([
      'warning: 1 webhook is refused because of the URL',
      `- the webhook ${id} of team acme (https://10.0.0.1/): its URL must name a host on the public internet`,
    ])
    expect(await problemsOf('outgoing')).toEqual([
      '1 URL of the operator cannot be called',
      '- https://10.0.0.1/ cannot be called: it must name a host on the public internet',
    ])
    expect(await problemsOf('webhooks', { OUTGOING_ALLOWED_HOSTS: '10.0.0.1' })).toEqual([])
    expect(all).not.toBe(id)
  })

  test('an event that was not attempted for too long', async () => {
    await create('--team', 'acme')
    const insert = `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, subject, request_id, team_id)
      SELECT now() - interval '10 minutes', 'updateTeam', 'operator', 'root', 'command_line', 'acme', 'r', id FROM teams WHERE slug = 'acme'`
    await cli.pool.query(`UPDATE webhooks SET events_since = now() - interval '1 hour'`)
    expect(await problemsOf('webhooks')).toEqual([])
    await cli.pool.query(insert)
    expect(await problemsOf('webhooks')).toEqual(['an event has waited 10 minutes for its first delivery'])
  })
})
