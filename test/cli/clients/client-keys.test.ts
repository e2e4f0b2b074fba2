import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClientKey, keySetOf } from '../../support/oauth/clients/client-keys.ts'
import { runCli, useCli } from '../../support/service/cli.ts'

const { run, answer, env } = useCli()
const folder = mkdtempSync(path.join(tmpdir(), 'keys-'))
const key = createClientKey('ES256', 'current')
const keySet = keySetOf(key, createClientKey('EdDSA', 'next'))

/** Writes a file and returns its path. */
function write(name: string, contents: unknown): string {
  const file = path.join(folder, name)
  writeFileSync(file, typeof contents === 'string' ? contents : JSON.stringify(contents))
  return file
}
const update = ['client', 'update', 'signed']
beforeAll(async () => {
  const create = ['client', 'create', '--client-id', 'signed', '--name', 'Signed', '--confidential', '--required-scope', 'openid']
  const members = ['--redirect-uri', 'https://app.example/cb', '--jwks', write('keys.json', keySet), '--require-par', 'yes']
  await answer(...create, ...members)
})

describe('the keys of a client', () => {
  test('are read from a file or standard input, shown, and cleared', async () => {
    const shown = { jwks: keySet, jwks_uri: null, require_pushed_authorization_requests: true }
    expect(await answer('client', 'show', 'signed')).toMatchObject(shown)
    const { stdout } = await run('client', 'show', 'signed')
    expect(stdout).toContain('current')
    const one = keySetOf(key)
    const { stdout: output } = await runCli(env, [...update, '--jwks', '-', '--json'], JSON.stringify(one))
    expect(JSON.parse(output).jwks).toEqual(one)
    const demanding = await answer(...update, '--require-key-authentication', 'yes', '--require-dpop', 'yes', '--require-par', 'no')
    expect(demanding).toMatchObject({
      require_key_authentication: true,
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: false,
    })
    expect(await answer(...update, '--jwks', '', '--jwks-uri', 'https://app.example/keys.json')).toMatchObject({
      jwks: null,
      jwks_uri: 'https://app.example/keys.json',
    })
    expect(await answer(...update, '--require-key-authentication', 'no', '--jwks-uri', '')).toMatchObject({ jwks: null, jwks_uri: null })
  })

  test.each([
    ['a private key', () => write('private.json', { keys: [{ ...key.jwk, d: 'AA' }] }), 'must not have private or symmetric keys'],
    ['a file that is not JSON', () => write('keys.pem', '-----BEGIN PUBLIC KEY-----'), 'must be a JSON Web Key Set'],
    ['a key instead of a set', () => write('key.json', key.jwk), 'must be a JSON Web Key Set'],
    ['no keys', () => write('none.json', { keys: [] }), 'must have 1 to 4 keys'],
    ['a file that does not exist', () => path.join(folder, 'missing.json'), 'there is no such file or folder'],
    ['a folder', () => folder, ''],
  ])('are refused: %s', async (_, file, message) => {
    const { status, stdout, stderr } = await run(...update, '--jwks', file())
    expect([status === 0, stdout]).toEqual([false, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('unexpected')
    expect(stderr.split('\n')).toHaveLength(2)
  })

  test('are demanded only where they are registered', async () => {
    const { status, stderr } = await run(
      'client',
      'create',
      '--name',
      'App',
      '--confidential',
      '--redirect-uri',
      'https://app.example/cb',
      '--required-scope',
      'openid',
      '--require-key-authentication',
      'yes',
    )
    expect([status, stderr]).toEqual([2, '--require-key-authentication yes needs a key set, or the URL of one\n'])
  })
})
