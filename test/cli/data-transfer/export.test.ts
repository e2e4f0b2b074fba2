import { describe, expect, test } from 'vitest'
import { everything } from '../../support/data/records/everything.ts'
import { useCli } from '../../support/service/cli.ts'

const cli = useCli()

describe('an export', () => {
  test('omits revoked tokens and includes when a user was disabled', async () => {
    await cli.import(everything().records)
    await cli.pool.query('UPDATE access_tokens SET revoked_at = now()')
    const { rowCount } = await cli.pool.query(`UPDATE users SET disabled_at = '2026-05-05T05:05:05Z'`)
    const { stdout } = await cli.run('export')
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.filter(({ type }) => type === 'token')).toEqual([])
    const users = records.filter(({ type }) => type === 'user')
    expect(users.map(({ disabled_at }) => disabled_at)).toEqual(Array.from({ length: rowCount ?? 0 }, () => '2026-05-05T05:05:05.000Z'))
    await cli.import(users)
    expect((await cli.pool.query('SELECT 1 FROM users WHERE disabled_at IS NULL')).rows).toEqual([])
  })

  test('includes which emails a user switched off, which an older file without them leaves unchanged', async () => {
    await cli.import(everything().records)
    await cli.pool.query(`UPDATE users SET muted_mails = '{role-changed}'`)
    const mutedIn = async () => (await cli.pool.query('SELECT DISTINCT muted_mails AS muted FROM users')).rows
    const { stdout } = await cli.run('export')
    const lines = stdout.trimEnd().split('\n')
    const users = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'user')
    expect(users.map(({ muted_mails }) => muted_mails)).toEqual(users.map(() => ['role-changed']))
    for (const user of users) delete user.muted_mails
    await cli.import(users)
    expect(await mutedIn()).toEqual([{ muted: ['role-changed'] }])
    for (const user of users) user.muted_mails = []
    await cli.import(users)
    expect(await mutedIn()).toEqual([{ muted: [] }])
  })
})
