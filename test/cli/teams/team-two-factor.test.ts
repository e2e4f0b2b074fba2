import { expect, test } from 'vitest'
import { useCli } from '../../support/service/cli.ts'

const { run, answer } = useCli()
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('team require-two-factor turns the requirement on and off, and names what is wrong with its options', async () => {
  await answer('user', 'create', '--email', 'founder@example.com', '--name', 'Founder')
  await answer('team', 'create', '--slug', 'shop', '--name', 'Shop', '--owner', 'founder@example.com')
  const command = ['team', 'require-two-factor', 'shop'] as const
  expect(await answer(...command, '--grace-days', '7')).toEqual({ slug: 'shop', two_factor_required_at: instant })
  expect(await answer(...command, '--off')).toEqual({ slug: 'shop', two_factor_required_at: null })
  expect((await run(...command)).stderr).toContain('one of --grace-days and --off is required')
  expect((await run(...command, '--off', '--grace-days', '7')).stderr).toContain('one of --grace-days and --off is required')
  expect((await run(...command, '--grace-days', 'many')).stderr).toContain('--grace-days must be a whole number; it is many')
  expect((await run(...command, '--grace-days', '91')).status).toBe(2)
  expect(await run('team', 'require-two-factor', 'nothing', '--off')).toMatchObject({ status: 1, stderr: 'unknown team nothing\n' })
})
