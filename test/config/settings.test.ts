import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../src/config/setting-text.ts'
import { atPort, readConfig, settings } from '../../src/config/settings.ts'

describe('readConfig without settings', () => {
  test('returns the documented defaults, also when the variables are set to blank values', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      authUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databaseReplicaUrl: undefined,
      runJobs: true,
      databasePool: 10,
      secretKey: undefined,
      trustProxy: false,
      logLevel: 'info',
      flowBaseUrl: undefined,
      smtpUrl: undefined,
      nodeEnv: 'development',
      sessionDaysMax: 90,
      providerSignInDays: 30,
      invitationDays: 7,
      signUp: 'open',
      clientRegistration: 'reviewed',
      clientMetadataDocuments: 'reviewed',
      brandAddress: [],
      auditDays: 400,
      deletedTeamDays: 14,
      endedInvitationDays: 90,
      endedTokenDays: 90,
      endedGrantDays: 30,
      rateLimitApi: 1200,
      rateLimitSignInAccount: 10,
      rateLimitSignInAddress: 100,
      rateLimitSignUp: 50,
      rateLimitClientSecret: 20,
      rateLimitUserCode: 10,
      rateLimitAuthorization: 100,
      rateLimitInvitations: 100,
      rateLimitLink: 20,
    })
    expect(config.dataDir.endsWith('/data')).toBe(true)
    const variables = settings.flatMap(({ variable, fileVariable = [] }) => [variable, fileVariable].flat())
    expect(readConfig(Object.fromEntries(variables.map((variable) => [variable, ' '])))).toEqual(config)
  })

  test('derives the public origin from the port, also when the operating system chooses the port', () => {
    expect(readConfig({ PORT: '8080' }).authUrl).toBe('http://localhost:8080')
    expect(atPort(readConfig({ PORT: '0' }), 4711)).toMatchObject({ port: 4711, authUrl: 'http://localhost:4711' })
    const config = readConfig({ PORT: '0', AUTH_URL: 'https://accounts.example.com/' })
    expect(atPort(config, 4711).authUrl).toBe('https://accounts.example.com')
  })
})

const origin = 'an http or https origin such as https://accounts.example.com, without path or query'
const oneHost =
  'an address of one host, without target_session_attrs: that of a proxy that follows the primary (deploy/postgresql/haproxy.cfg)'
const postgres = 'an address such as postgresql://user:password@host:5432/database'
const smtp = 'an address such as smtp://user:password@host:587 or smtps://host:465'
const proxies = 'true, false, a number of proxies, or a list of addresses, subnets, loopback, linklocal, uniquelocal'

describe('readConfig with an invalid setting', () => {
  test.each([
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '3000.5', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['PORT', '0x10', 'a whole number from 0 to 65535'],
    ['HOST', 'http://localhost', 'an address or a host name, without port'],
    ['AUTH_URL', 'accounts.example.com', origin],
    ['AUTH_URL', 'ftp://accounts.example.com', origin],
    ['AUTH_URL', 'https://accounts.example.com/api', origin],
    ['AUTH_URL', 'https://accounts.example.com?x=1', origin],
    ['AUTH_URL', 'https://user:word@accounts.example.com', origin],
    ['DATABASE_POOL', '1', 'a whole number from 2 to 500'],
    ['TRUST_PROXY', 'yes', proxies],
    ['TRUST_PROXY', '10.0.0.0/33', proxies],
    ['TRUST_PROXY', '10.0.0.1,example.com', proxies],
    ['LOG_LEVEL', 'verbose', 'one of trace, debug, info, warn, error, fatal, silent'],
    ['LOG_FORMAT', 'text', 'one of pretty, json'],
    ['FLOW_BASE_URL', 'https://flow.example.com/api', 'an http or https address that ends in /api/v1'],
    ['MAIL_FROM', 'nobody', 'an email address, alone or as Name <address>'],
    ['NODE_ENV', 'prod', 'one of development, test, production'],
    ['INVITATION_DAYS', '31', 'a whole number from 1 to 30'],
    ['INVITATION_DAYS', '0', 'a whole number from 1 to 30'],
    ['RATE_LIMIT_API', 'off', 'a whole number from 0 to 1000000'],
    ['RATE_LIMIT_LINK', '-1', 'a whole number from 0 to 1000000'],
  ])('refuses %s=%s in one line that says what the value must be', (name, text, requirement) => {
    const expected = new ConfigError(`${name} must be ${requirement}; it is ${JSON.stringify(text)}`)
    expect(() => readConfig({ [name]: text })).toThrow(expected)
  })

  test.each([
    ['SECRET_KEY', 'short', 'at least 32 characters long'],
    ['DATABASE_URL', 'mysql://root:word@host/db', postgres],
    ['DATABASE_URL', 'host/db', postgres],
    ['DATABASE_URL', 'postgresql://u:word@h1:5432,h2:5433/db', oneHost],
    ['DATABASE_URL', 'postgresql://u:word@h1,h2/db', oneHost],
    ['DATABASE_URL', 'postgresql:///db?user=u&host=h1,h2', oneHost],
    ['DATABASE_DIRECT_URL', 'postgresql://u:word@h1/db?target_session_attrs=read-write', oneHost],
    ['DATABASE_REPLICA_URL', 'postgresql://u:word@h1/db?load_balance_hosts=random', oneHost],
    ['SMTP_URL', 'http://user:word@host', smtp],
    ['SMTP_URL', 'smtp:', smtp],
  ])('refuses %s=%s without repeating the value, which may contain a secret', (name, text, requirement) => {
    expect(() => readConfig({ [name]: text })).toThrow(new ConfigError(`${name} must be ${requirement}`))
  })

  test('refuses production without SECRET_KEY', () => {
    const expected = new ConfigError('SECRET_KEY is required when NODE_ENV is production')
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(expected)
    expect(readConfig({ NODE_ENV: 'production', SECRET_KEY: 'k1'.repeat(16) }).secretKey).toBe('k1'.repeat(16))
  })

  test('refuses a SECRET_KEY of one repeated character, but accepts it as the previous one, so that it can be replaced', () => {
    const placeholder = 'k'.repeat(40)
    const expected = new ConfigError('SECRET_KEY must be random, for example the output of openssl rand -base64 32')
    expect(() => readConfig({ SECRET_KEY: placeholder })).toThrow(expected)
    expect(readConfig({ SECRET_KEY: 'k1'.repeat(16), SECRET_KEY_PREVIOUS: placeholder }).secretKeyPrevious).toBe(placeholder)
  })
})

describe('readConfig with a public provider', () => {
  test.each(['GOOGLE', 'GITHUB', 'MICROSOFT'])('of %s needs both its client and its secret', (name) => {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`]
    expect(() => readConfig({ [id]: 'client-1' })).toThrow(new ConfigError(`${secret} is required when ${id} is set`))
    expect(() => readConfig({ [secret]: 'secret-1' })).toThrow(new ConfigError(`${id} is required when ${secret} is set`))
    const client = { clientId: 'client-1', clientSecret: 'secret-1' }
    expect(readConfig({ [id]: 'client-1', [secret]: 'secret-1' }).socialProviders).toEqual({ [name.toLowerCase()]: client })
  })
})

describe('readConfig with a valid setting', () => {
  test('accepts a comma in a password, a path and the folder of a socket', () => {
    for (const databaseUrl of ['postgresql://u:a%2Cb,c@host/db', 'postgresql://u@host/a,b', 'postgresql:///db?host=/run/postgresql'])
      expect(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl).toBe(databaseUrl)
  })

  test.each([
    ['TRUST_PROXY', 'trustProxy', '2', 2],
    ['TRUST_PROXY', 'trustProxy', 'true', true],
    ['TRUST_PROXY', 'trustProxy', 'loopback, 10.0.0.0/8, fd00::/8', 'loopback, 10.0.0.0/8, fd00::/8'],
    ['FLOW_BASE_URL', 'flowBaseUrl', 'https://flow.example.com/api/v1/', 'https://flow.example.com/api/v1'],
    ['MAIL_FROM', 'mailFrom', 'Accounts <a@example.com>', 'Accounts <a@example.com>'],
    ['RATE_LIMIT_API', 'rateLimitApi', '0', 0],
    ['HOST', 'host', '::1', '::1'],
  ] as const)('reads %s into %s', (name, key, text, value) => {
    expect(readConfig({ [name]: text })[key]).toBe(value)
  })
})

test('docs/operations/settings.md lists every setting with its default and description', () => {
  const rows = settings.map(
    ({ variable, fileVariable, defaultText, description }) =>
      `| \`${variable}\`${fileVariable === undefined ? '' : `, \`${fileVariable}\``} | ${defaultText ? `\`${defaultText}\`` : ''} | ${description} |`,
  )
  expect(readFileSync('docs/operations/settings.md', 'utf8')).toContain(['| variable | default | |', '|---|---|---|', ...rows].join('\n'))
})
