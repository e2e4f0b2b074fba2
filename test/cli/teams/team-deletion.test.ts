import { describe, expect, test } from 'vitest'
import { runCli, useCli } from '../../support/service/cli.ts'

const { run, answer, env } = useCli()
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const refused = (status: 1 | 2, message: string) => ({ status, stdout: '', stderr: `${message}\n` })

describe('the commands that delete, list and restore a team', () => {
  test('delete it with --yes, list until when it can be restored, and restore it with a new owner', async () => {
    await answer('user', 'create', '--email', 'founder@example.com', '--name', 'Founder')
    await answer('team', 'create', '--slug', 'shop', '--name', 'Shop', '--owner', 'founder@example.com')
    const deleted = { slug: 'shop', name: 'Shop', deleted_at: instant, restorable_until: instant }
    expect(await answer('team', 'delete', 'shop', '--yes')).toEqual(deleted)
    expect((await answer('mail', 'list')).data[0]).toMatchObject({
      kind: 'team-deleted',
      recipient: 'founder@example.com',
      state: 'pending',
    })
    expect((await answer('team', 'list')).data).not.toContainEqual(expect.objectContaining({ slug: 'shop' }))
    expect((await answer('team', 'list', '--deleted')).data).toEqual([deleted])
    const { stdout } = await run('team', 'list', '--deleted')
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['SLUG', 'NAME', 'RESTORABLE UNTIL', 'DELETED'],
      ['shop', 'Shop', instant, instant],
      [''],
    ])
    expect(await run('token', 'list', '--team', 'shop')).toEqual(refused(1, 'unknown team shop'))
    await answer('user', 'delete', 'founder@example.com', '--yes')
    const message = 'the accounts of all owners were deleted or disabled: name an account that becomes the owner'
    expect(await run('team', 'restore', 'shop')).toEqual(refused(1, message))
    await answer('user', 'create', '--email', 'heir@example.com', '--name', 'Heir')
    const restored = await run('team', 'restore', 'shop', '--owner', 'heir@example.com')
    expect(restored).toEqual({ status: 0, stdout: 'Restored team shop (Shop).\n', stderr: '' })
    expect((await answer('team', 'list')).data).toContainEqual(expect.objectContaining({ slug: 'shop' }))
    expect((await answer('team', 'list', '--deleted')).data).toEqual([])
  })

  test('keep a deleted team for DELETED_TEAM_DAYS', async () => {
    await answer('team', 'create', '--slug', 'brief', '--name', 'Brief')
    const { stdout } = await runCli({ ...env, DELETED_TEAM_DAYS: '3' }, ['team', 'delete', 'brief', '--yes', '--json'])
    const { deleted_at, restorable_until } = JSON.parse(stdout)
    expect((Date.parse(restorable_until) - Date.parse(deleted_at)) / 86_400_000).toBe(3)
  })

  test('refuse a deletion without --yes and without a terminal, and refuse unknown teams', async () => {
    await answer('team', 'create', '--slug', 'kept', '--name', 'Kept')
    expect(await run('team', 'delete', 'kept')).toEqual(
      refused(2, 'nothing was changed: --yes is required without a terminal (see: npm run -s cli -- team delete --help)'),
    )
    expect((await answer('team', 'list')).data).toContainEqual(expect.objectContaining({ slug: 'kept' }))
    expect(await run('team', 'delete', 'nothing', '--yes')).toEqual(refused(1, 'unknown team nothing'))
    expect(await run('team', 'restore', 'kept')).toEqual(refused(1, 'there is no deleted team with this slug that can be restored'))
  })
})
