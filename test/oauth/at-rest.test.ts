import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, password, post, refresh } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service

/** Every row of every table as text, binary columns in hex. */
async function dump(): Promise<string> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  )
  const contents = await Promise.all(
    tables.map(async ({ name }) =>
      (await database.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`)).rows.map(({ text }) => text),
    ),
  )
  return contents.flat().join('\n')
}

describe('a dump of the database', () => {
  test('holds no code, token, secret, cookie or password that was ever handed out', async () => {
    const person = await createPerson(database)
    const client = await createClient(database, {
      grantTypes: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    })
    const secrets: Record<string, string> = { password, 'client secret': client.secret ?? '' }

    const browser = new Browser(service.url)
    const authorized = await authorize(service, client, person, { browser })
    secrets['code'] = authorized.code
    const { body: tokens } = await exchangeCode(service, client, authorized)
    const { body: refreshed } = await refresh(service, client, tokens.refresh_token)
    for (const [which, answer] of Object.entries({ first: tokens, second: refreshed })) {
      for (const name of ['access_token', 'refresh_token', 'id_token']) secrets[`${which} ${name}`] = answer[name]
    }
    const { body: device } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
    const confirmation = await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
    await browser.press(confirmation, 'Continue')
    Object.assign(secrets, { 'device code': device.device_code, 'user code': device.user_code.replace('-', '') })
    const { body: pushed } = await post(
      service,
      '/api/oauth/par',
      client,
      Object.fromEntries(authorizationUrl(service, client).url.searchParams),
    )
    secrets['request_uri'] = pushed.request_uri.split(':').at(-1)
    await new Browser(service.url).open(authorizationUrl(service, client).url)
    for (const { name, value } of browser.cookies.values()) if (!name.endsWith('.sig')) secrets[`cookie ${name}`] = value

    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(['cookie session', 'cookie interaction', 'cookie browser']))
    const everything = await dump()
    expect(everything).toContain(person.email)
    const found = Object.entries(secrets).filter(([, secret]) => {
      const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]
      return secret === '' || forms.some((form) => everything.includes(form))
    })
    expect(found.map(([name]) => name)).toEqual([])
  })

  test('gives no way to use what it holds: a stored hash is no credential', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    await exchangeCode(service, client, await authorize(service, client, person))
    const artifacts = await database.prisma.oAuthArtifact.findMany({ where: { grant: { userId: person.id } } })
    expect(artifacts.map(({ kind }) => kind).toSorted()).toEqual(['AccessToken', 'AuthorizationCode', 'RefreshToken'])
    for (const { idHash } of artifacts) {
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        const value = Buffer.from(idHash).toString(form)
        for (const guess of [value, `${value}.${value}`, `${value}.${'A'.repeat(43)}`]) {
          expect((await refresh(service, client, guess)).body.error).toBe('invalid_grant')
        }
      }
    }
  })
})
