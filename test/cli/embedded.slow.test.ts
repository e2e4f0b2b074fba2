import { afterAll, describe, expect, test } from 'vitest'
import { spawnCli } from '../support/service/cli.ts'
import { postgresPid, createDataFolder } from '../support/processes/data-folder.ts'
import { startMain } from '../support/processes/service-process.ts'

const data = createDataFolder()
afterAll(() => data.remove())
const env = { DATA_DIR: data.folder }
const answer = async (...args: string[]) => {
  const { status, stdout, stderr } = await spawnCli(env, [...args, '--json'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('a command on the embedded database', () => {
  test('starts and stops PostgreSQL if it is not running, and shares it with a running service', async () => {
    await answer('user', 'create', '--email', 'ada@example.com', '--name', 'Ada')
    expect(postgresPid(data.folder)).toBeUndefined()

    const service = startMain(env)
    try {
      const origin = await service.origin
      const records = [
        '{"type":"team","slug":"crew","name":"Crew"}',
        '{"type":"member","team":"crew","user":"ada@example.com","role":"owner"}',
      ]
      expect(await spawnCli(env, ['import', '-'], records.join('\n'))).toMatchObject({ status: 0, stderr: '' })
      const { id, token } = await answer('token', 'create', '--user', 'ada@example.com', '--name', 'script', '--scope', 'teams')
      const teams = async () => {
        const response = await fetch(`${origin}/api/v1/teams`, { headers: { authorization: `Bearer ${token}` } })
        return [response.status, await response.json()]
      }
      expect(await teams()).toEqual([200, { data: [expect.objectContaining({ slug: 'crew', name: 'Crew' })] }])
      await answer('token', 'revoke', id)
      expect((await teams())[0]).toBe(401)
      expect((await spawnCli(env, ['export'])).stdout).toContain('"slug":"crew"')
      expect(await spawnCli(env, ['doctor'])).toMatchObject({ status: 0, stderr: '', stdout: expect.not.stringContaining('warning') })
      // A webhook of a team that the service may not call any more is a warning.
      const line = ['webhook', 'create', '--team', 'crew', '--url', 'https://10.0.0.7/']
      expect(await spawnCli({ ...env, OUTGOING_ALLOWED_HOSTS: '10.0.0.7' }, line)).toMatchObject({ status: 0, stderr: '' })
      expect(await spawnCli(env, ['doctor'])).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(/^webhooks +warning +1 webhook is refused because of the URL +add the host/m),
      })
    } finally {
      service.signal('SIGTERM')
      await service.ended
    }
    expect(postgresPid(data.folder)).toBeUndefined()
  })
})
