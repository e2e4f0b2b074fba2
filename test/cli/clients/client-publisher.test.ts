import { expect, test } from 'vitest'
import { useCli } from '../../support/service/cli.ts'

// Who publishes a client: docs/decisions/oauth.md#clients.

const { run, answer } = useCli()

test('client update sets the publisher and its verification, and takes both back', async () => {
  const create = ['client', 'create', '--client-id', 'app', '--name', 'App', '--public', '--redirect-uri', 'https://app.example/cb']
  const unknown = { publisher: null, verified: false, client_uri: null, policy_uri: null, tos_uri: null }
  expect(await answer(...create, '--required-scope', 'openid')).toMatchObject(unknown)
  const update = ['client', 'update', 'app']
  const origin = ['--publisher', 'Example', '--verified', 'yes', '--client-uri', 'https://app.example/']
  expect(await answer(...update, ...origin)).toMatchObject({ publisher: 'Example', verified: true, client_uri: 'https://app.example/' })
  expect(await answer(...update, '--name', 'Other')).toMatchObject({ name: 'Other', publisher: 'Example', verified: true })
  expect(await answer(...update, '--publisher', '', '--verified', 'no', '--client-uri', '')).toMatchObject(unknown)
})

test('client update refuses an address that is not https, and another word than yes or no', async () => {
  const create = ['client', 'create', '--client-id', 'links', '--name', 'App', '--public', '--redirect-uri', 'https://app.example/cb']
  await answer(...create, '--required-scope', 'openid')
  for (const option of ['--client-uri', '--policy-uri', '--tos-uri'])
    for (const address of ['javascript:alert(1)', 'http://app.example', 'data:text/html,x'])
      expect(await run('client', 'update', 'links', option, address)).toMatchObject({
        status: 2,
        stderr: `${option} ${address} must be https\n`,
      })
  const { status, stderr } = await run('client', 'update', 'links', '--verified', 'maybe')
  expect([status, stderr]).toEqual([2, expect.stringContaining('--verified must be yes or no; it is maybe')])
})
