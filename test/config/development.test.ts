import { expect, describe, test } from 'vitest'
import {
  hasDevelopmentHelp,
  isLoopbackAddress,
  refuseExposedDevelopment,
  refuseUnencryptedProduction,
} from '../../src/config/development.ts'
import { ConfigError } from '../../src/config/setting-text.ts'
import { readConfig } from '../../src/config/settings.ts'

const production = { NODE_ENV: 'production', SECRET_KEY: 'k1'.repeat(16) }
const check = (env: NodeJS.ProcessEnv) => () => refuseExposedDevelopment(readConfig(env))
const publicOrigin = (origin: string) =>
  `AUTH_URL ${origin} is public: set NODE_ENV=production and SECRET_KEY, or an AUTH_URL of this machine such as http://localhost:3000`
const openHost = (host: string) =>
  `HOST ${host} accepts connections of other machines: set NODE_ENV=production and SECRET_KEY, or a HOST of this machine such as 127.0.0.1`

describe('a service that is not in production', () => {
  test.each([
    [{ AUTH_URL: 'https://accounts.example.com' }, publicOrigin('https://accounts.example.com')],
    [{ AUTH_URL: 'http://192.0.2.7:3000', NODE_ENV: 'test' }, publicOrigin('http://192.0.2.7:3000')],
    [{ AUTH_URL: 'http://localhost.example.com' }, publicOrigin('http://localhost.example.com')],
    [{ AUTH_URL: 'http://127.0.0.1.example.com' }, publicOrigin('http://127.0.0.1.example.com')],
    [{ AUTH_URL: 'http://0.0.0.0:3000' }, publicOrigin('http://0.0.0.0:3000')],
    [{ AUTH_URL: 'http://[fd00::2]:3000' }, publicOrigin('http://[fd00::2]:3000')],
    [{ HOST: '0.0.0.0' }, openHost('0.0.0.0')],
    [{ HOST: '0.0.0.0', AUTH_URL: 'http://localhost:3000', NODE_ENV: 'development' }, openHost('0.0.0.0')],
    [{ HOST: '::' }, openHost('::')],
    [{ HOST: '::ffff:0.0.0.0' }, openHost('::ffff:0.0.0.0')],
    [{ HOST: '192.0.2.7' }, openHost('192.0.2.7')],
    [{ HOST: 'accounts.example.com' }, openHost('accounts.example.com')],
  ])('does not start with %o', (env, message) => {
    expect(check(env)).toThrow(new ConfigError(message))
    expect(check({ ...env, ...production })).not.toThrow()
  })

  test.each([
    {},
    { HOST: 'localhost' },
    { HOST: '::1' },
    { HOST: '127.0.0.2' },
    { HOST: '::ffff:127.0.0.1' },
    { AUTH_URL: 'http://127.0.0.1:8080' },
    { AUTH_URL: 'https://[::1]' },
    { AUTH_URL: 'http://accounts.localhost:3000' },
  ])('starts with %o and helps development', (env) => {
    expect(check(env)).not.toThrow()
    expect(hasDevelopmentHelp(readConfig(env))).toBe(true)
  })

  test.each([{ TRUST_PROXY: '1' }, { TRUST_PROXY: 'true' }, { TRUST_PROXY: 'loopback' }, production])(
    'starts with %o, without help for development',
    (env) => {
      expect(check(env)).not.toThrow()
      expect(hasDevelopmentHelp(readConfig(env))).toBe(false)
    },
  )
})

test.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:192.0.2.7', false],
  ['192.0.2.7', false],
  ['fd00::2', false],
  ['0.0.0.0', false],
  ['', false],
  ['localhost', false],
])('the peer address %j is loopback: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected)
})

describe('a service in production', () => {
  const start = (authUrl: string) => () => refuseUnencryptedProduction(readConfig({ ...production, AUTH_URL: authUrl }))

  test.each(['http://accounts.example.com', 'http://192.0.2.7:3000', 'http://localhost.example.com'])(
    'does not start with %s',
    (authUrl) => {
      const message = `AUTH_URL ${authUrl} is not https: in production use an https address, behind a proxy that terminates TLS`
      expect(start(authUrl)).toThrow(new ConfigError(message))
    },
  )

  test.each(['https://accounts.example.com', 'http://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:3000'])(
    'starts with %s',
    (authUrl) => expect(start(authUrl)).not.toThrow(),
  )
})
