import { beforeAll, describe, expect, test } from 'vitest'
import { runCli, useCli } from '../support/service/cli.ts'

const { env, run, answer } = useCli()
const refused = (status: 1 | 2, message: string) => ({ status, stdout: '', stderr: `${message}\n` })

beforeAll(async () => {
  await answer('user', 'create', '--email', 'ada@example.com', '--name', 'Ada')
  await answer('team', 'create', '--slug', 'acme', '--name', 'Acme', '--owner', 'ada@example.com')
  const registration = ['--redirect-uri', 'https://app.example/cb', '--required-scope', 'openid']
  await answer('client', 'create', '--name', 'App', '--client-id', 'app', '--confidential', ...registration)
  await answer('client', 'create', '--name', 'Tool', '--client-id', 'tool', '--public', ...registration)
})

const team = ['team', 'create', '--slug', 'new-team', '--name', 'New']
const user = ['user', 'create', '--email', 'new@example.com', '--name', 'New']
const teamToken = ['token', 'create', '--team', 'acme', '--name', 'ci']
const userToken = ['token', 'create', '--user', 'ada@example.com', '--name', 'ci', '--scope', 'teams']
const client = ['client', 'create', '--name', 'New', '--public', '--redirect-uri', 'https://new.example/cb', '--required-scope', 'openid']
const without = (line: string[], option: string) => line.toSpliced(line.indexOf(option), 2)
const uris = 'must be https, or http to 127.0.0.1, [::1] or localhost, or of a private-use scheme such as com.example.app:/cb'

describe('a refused operation names what the user typed', () => {
  test.each([
    [[...without(team, '--slug'), '--slug', 'A b'], '--slug A b must be lower-case letters, digits and single hyphens'],
    [[...without(team, '--name'), '--name', ' '], '--name must not be empty'],
    [[...team, '--timezone', 'Mars/Olympus'], 'unknown time zone Mars/Olympus'],
    [
      ['team', 'create', '--slug', 'A b', '--name', ''],
      '--slug A b must be lower-case letters, digits and single hyphens; --name must not be empty',
    ],
    [[...without(user, '--email'), '--email', 'nobody'], '--email nobody must be a valid email address'],
    [[...without(user, '--name'), '--name', ''], '--name must not be empty'],
    [[...teamToken, '--scope', 'acct:foo'], 'unknown scope acct:foo'],
    [[...teamToken, '--scope', 'teams', '--scope', 'x', '--scope', 'y'], 'unknown scope x; unknown scope y'],
    [[...without(teamToken, '--name'), '--scope', 'teams', '--name', ''], '--name must not be empty'],
    [[...userToken, '--expires-in', '2y'], '--expires-in must be at most 1y; it is 2y'],
    [[...client, '--client-id', 'a b'], '--client-id a b must be letters, digits and the characters . _ ~ -'],
    [[...without(client, '--name'), '--name', ''], '--name must not be empty'],
    [[...client, '--optional-scope', 'all'], 'unknown scope all'],
    [[...client, '--optional-scope', 'openid'], '--optional-scope openid must not have openid, which is required already'],
    [[...client, '--required-scope', 'nonsense'], 'unknown scope nonsense'],
    [[...client, '--grant', 'password'], 'unknown grant type password'],
    [[...client, '--grant', 'refresh_token'], '--grant refresh_token must have a grant that issues a first token, not refresh_token alone'],
    [[...client, '--id-token-alg', 'none'], 'unknown algorithm none'],
    [[...client, '--redirect-uri', 'http://app.example/cb'], `--redirect-uri http://app.example/cb ${uris}`],
    [[...client, '--refresh-replay-seconds', '121'], '--refresh-replay-seconds 121 must not be greater than 120'],
    [without(client, '--redirect-uri'), '--redirect-uri must not be empty'],
    [without(client, '--required-scope'), '--required-scope is required where no scope is optional'],
    [['client', 'update', 'app', '--redirect-uri', ''], '--redirect-uri must not be empty'],
    [['client', 'rotate-secret', 'app', '--overlap', '31d'], '--overlap must be at most 30d; it is 31d'],
  ])('as a wrong value, with status 2: %j: %s', async (line, message) => {
    expect(await run(...line)).toEqual(refused(2, message))
  })

  test.each([
    [[...without(team, '--slug'), '--slug', 'acme'], 'the slug acme is in use already'],
    [[...team, '--owner', 'nobody@example.com'], 'unknown account nobody@example.com'],
    [[...without(user, '--email'), '--email', 'ADA@example.com'], 'the account ADA@example.com is in use already'],
    [['user', 'disable', 'nobody@example.com'], 'unknown account nobody@example.com'],
    [['user', 'enable', 'nobody@example.com'], 'unknown account nobody@example.com'],
    [['user', 'delete', 'nobody@example.com', '--yes'], 'unknown account nobody@example.com'],
    [['user', 'delete', 'ada@example.com', '--yes'], 'the team Acme (acme) must keep at least one owner'],
    [['user', 'reset-second-factor', 'ada@example.com'], 'two-factor authentication is off'],
    [[...without(teamToken, '--team'), '--scope', 'teams', '--team', 'nowhere'], 'unknown team nowhere'],
    [[...without(userToken, '--user'), '--user', 'nobody@example.com'], 'unknown account nobody@example.com'],
    [['token', 'list', '--team', 'nowhere'], 'unknown team nowhere'],
    [['token', 'list', '--user', 'nobody@example.com'], 'unknown account nobody@example.com'],
    [['token', 'revoke', '6f9619ff-8b86-4011-b42d-00c04fc964ff'], 'unknown token 6f9619ff-8b86-4011-b42d-00c04fc964ff'],
    [['token', 'revoke', 'x'], 'unknown token x'],
    [[...client, '--client-id', 'app'], 'the client ID app is in use already'],
    [['client', 'update', 'nothing', '--name', 'X'], 'unknown client nothing'],
    [['client', 'show', 'nothing'], 'unknown client nothing'],
    [['client', 'disable', 'nothing'], 'unknown client nothing'],
    [['client', 'delete', 'nothing', '--yes'], 'unknown client nothing'],
    [['client', 'rotate-secret', 'nothing'], 'unknown client nothing'],
    [['client', 'rotate-secret', 'tool'], 'CLIENT_ID tool is that of a public client, which has no secret'],
    [['import', '/nonexistent/file.ndjson'], '/nonexistent/file.ndjson: there is no such file or folder'],
    [['import', '/tmp'], '/tmp: it is a folder'],
    [['mail', 'retry', '6f9619ff-8b86-4011-b42d-00c04fc964ff'], 'there is no failed or pending mail 6f9619ff-8b86-4011-b42d-00c04fc964ff'],
  ])('because of what is stored, with status 1: %j: %s', async (line, message) => {
    expect(await run(...line)).toEqual(refused(1, message))
  })

  test.each([
    [[...teamToken, '--scope', 'acct:team:raed'], 'unknown scope acct:team:raed; did you mean acct:team:read?'],
    [[...client, '--optional-scope', 'offline_acces'], 'unknown scope offline_acces; did you mean offline_access?'],
    [[...client, '--grant', 'refresh-token'], 'unknown grant type refresh-token; did you mean refresh_token?'],
    [[...client, '--id-token-alg', 'es256'], 'unknown algorithm es256; did you mean ES256?'],
    [[...team, '--timezone', 'europe/berlin'], 'unknown time zone europe/berlin; did you mean Europe/Berlin?'],
  ])('with the value that was probably meant: %j: %s', async (line, message) => {
    expect(await run(...line)).toEqual(refused(2, message))
    const { error } = JSON.parse((await run(...line, '--json')).stderr)
    expect([error.code, error.message]).toEqual(['validation_failed', message.split('; did you mean')[0]])
  })

  test('a password from standard input', async () => {
    const { status, stderr } = await runCli(env, [...user, '--password-stdin'], 'short\n')
    expect([status, stderr]).toEqual([2, 'the password must be at least 8 characters\n'])
  })

  test('an overlap and a publication of no time are accepted in every unit', async () => {
    for (const overlap of ['0', '0s', '0d']) expect((await run('client', 'rotate-secret', 'app', '--overlap', overlap)).status).toBe(0)
  })

  test('with --json the message is the same, and errors have the names of GraphQL', async () => {
    const { status, stdout, stderr } = await run(...teamToken, '--scope', 'acct:foo', '--json')
    expect([status, stdout, JSON.parse(stderr)]).toEqual([
      2,
      '',
      {
        error: {
          code: 'validation_failed',
          message: 'unknown scope acct:foo',
          errors: { 'scopes.0': ['The selected scopes.0 is invalid.'] },
        },
      },
    ])
  })
})
