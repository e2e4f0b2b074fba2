import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startMain } from '../support/processes/service-process.ts'
import { runCli, useCli } from '../support/service/cli.ts'
import { secretKey } from '../support/service/test-settings.ts'

const cli = useCli()

// docs/operations/incidents.md#secret_key-is-lost
test('after the loss of SECRET_KEY, the service starts with another key once the signing keys are deleted', async () => {
  expect((await runCli({ ...cli.env, SECRET_KEY: secretKey }, ['keys', 'rotate'])).status).toBe(0)
  const settings = { ...cli.env, SECRET_KEY: 'another secret key of 32 characters' }
  const start = () => {
    const service = startMain({ ...settings, DATA_DIR: path.join(inject('runFolder'), `lost-key-${process.pid}`) })
    onTestFinished(async () => {
      service.signal('SIGKILL')
      await service.ended
    })
    return service
  }
  const refused = start()
  expect(await refused.ended).toBe(1)
  expect(refused.output().stderr).toContain('SECRET_KEY differs from the one that encrypted the signing keys')

  const { status, stdout } = await runCli(settings, ['keys', 'reencrypt', '--delete-unreadable', '--json'])
  expect([status, JSON.parse(stdout).data]).toEqual([
    0,
    [
      { kind: 'signing_keys', reencrypted: 0, current: 0, unreadable: 0, deleted: 2 },
      ...['totp_secrets', 'webhook_secrets', 'webhook_previous_secrets', 'provider_client_secrets'].map((kind) => ({
        kind,
        reencrypted: 0,
        current: 0,
        unreadable: 0,
        deleted: 0,
      })),
    ],
  ])
  const jwks = await fetch(`${await start().origin}/.well-known/jwks.json`)
  expect((await jwks.json()).keys).toHaveLength(2)
})
