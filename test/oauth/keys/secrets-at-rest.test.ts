import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { deviceGrantType } from '../../support/oauth/device.ts'
import {
  authorizationUrl,
  authorize,
  createClient,
  createPerson,
  exchangeCode,
  password,
  post,
  refresh,
} from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

/** Returns every row of every table as text, with binary columns in hexadecimal. */
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
  test('contains no issued code, token, client secret or cookie, and no password', async () => {
    const user = await createPerson(database)
    const client = await createClient(database, {
      grantTypes: ['authorization_code', 'refresh_token', deviceGrantType],
    })
    const secrets: Record<string, string> = { password, 'client secret': client.secret ?? '' }

    const browser = new Browser(service.url)
    const authorization = await authorize(service, client, user, { browser })
    secrets['code'] = authorization.code
    const { body: tokens } = await exchangeCode(service, client, authorization)
    const { body: refreshed } = await refresh(service, client, tokens.refresh_token)
    for (const [order, response] of Object.entries({ first: tokens, second: refreshed })) {
      for (const name of ['access_token', 'refresh_token', 'id_token']) secrets[`${order} ${name}`] = response[name]
    }
    const { body: device } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
    await browser.press(await browser.open('/login/device'), 'Continue', { Code: device.user_code })
    const [userCode, shownUserCode] = [device.user_code.replace('-', ''), device.user_code]
    Object.assign(secrets, { 'device code': device.device_code, 'user code': userCode, 'shown user code': shownUserCode })
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
    const rows = await dump()
    expect(rows).toContain(user.email)
    const leaked = Object.entries(secrets).filter(([, secret]) => {
      const encodings = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]
      return secret === '' || encodings.some((encoded) => rows.includes(encoded))
    })
    expect(leaked.map(([name]) => name)).toEqual([])
  })

  test('contains no usable credential: the token endpoint rejects a stored hash', async () => {
    const { user, client } = await connectClient(service)
    const rows = await database.prisma.oidcModel.findMany({ where: { chain: { grant: { userId: user.id } } } })
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['AccessToken', 'AuthorizationCode', 'RefreshToken'])
    for (const { idHash } of rows) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const value = Buffer.from(idHash).toString(encoding)
        for (const attempt of [value, `${value}.${value}`, `${value}.${'A'.repeat(43)}`]) {
          expect((await refresh(service, client, attempt)).body.error).toBe('invalid_grant')
        }
      }
    }
  })
})
