import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { getSuccessStatus } from '../../rest-facade/status-codes.ts'
import { tags } from '../../rest-facade/tags.ts'
import { oauthScopes } from '../../schema/core/scopes.ts'
import { findProgram } from '../generated-clients/languages.ts'
import { importDemo } from '../support/data/demo.ts'
import { join, teamToken } from '../support/data/team.ts'
import { authorize, createClient, createPerson, exchangeCode } from '../support/oauth/oauth.ts'
import { useService } from '../support/service/service.ts'
import { insertDelivery } from '../support/webhooks/delivery-row.ts'

const program = findProgram('newman/bin/newman.js')
const isInstalled = existsSync(program)
if (!isInstalled) console.log('newman is not installed: the Postman collection is not sent. Run npm ci in test/generated-clients.')

const inOrder = Object.keys(tags).flatMap((tag) => routes.filter((route) => route.tag === tag))
const successes = inOrder.map((route) => [route.summary, getSuccessStatus(route)])

describe.runIf(isInstalled)('newman sends the Postman collection', () => {
  let poolConfig = {}
  const service = useService({ connectThrough: (config) => (poolConfig = config) })
  const { database } = service
  const variables: Record<string, string> = {}
  beforeAll(async () => {
    await importDemo(poolConfig)
    const team = await database.prisma.team.findUniqueOrThrow({ where: { slug: 'acme' } })
    await insertDelivery(database.pool, team.id, service.clock.now())
    variables.token = await teamToken(database, team)
    // The first member, whom the collection would update, is the last owner.
    variables.userId = (await database.prisma.user.findUniqueOrThrow({ where: { email: 'dae@acme.example' } })).id
  })

  const download = async () => (await fetch(`${service.url}/api/postman.json`)).json()

  /** Sends the requests of a collection, which is a URL or a file, and returns their names and status codes. */
  async function send(collection: string | object, values = variables): Promise<[name: string, status: number][]> {
    const folder = mkdtempSync(path.join(tmpdir(), 'postman-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'collection.json')
    if (typeof collection === 'object') writeFileSync(file, JSON.stringify(collection))
    const result = path.join(folder, 'result.json')
    const settings = Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
    const options = ['run', typeof collection === 'string' ? collection : file, ...settings]
    const reporters = ['--reporters', 'json', '--reporter-json-export', result]
    await new Promise<void>((resolve, reject) =>
      execFile(process.execPath, [program, ...options, ...reporters], (error) => (error ? reject(error) : resolve())),
    )
    const { run } = JSON.parse(readFileSync(result, 'utf8'))
    expect(run.failures).toEqual([])
    return run.executions.map(({ item, response }: any) => [item.name, response.code])
  }

  test('in order, with a team token, and every request succeeds', async () => {
    expect(await send(`${service.url}/api/postman.json`)).toEqual(successes)
  })

  test('with the optional parameters that have an example, and every request succeeds', async () => {
    const collection = await download()
    for (const { request } of collection.item.flatMap(({ item }: any) => item))
      for (const parameter of request.url.query) parameter.disabled = parameter.value === ''
    expect(await send(collection)).toEqual(successes)
  })

  test('with an access token of its OAuth 2.0 settings, and every request succeeds', async () => {
    const collection = await download()
    const settings = Object.fromEntries(collection.auth.oauth2.map(({ key, value }: any) => [key, value]))
    const scope = collection.variable.find(({ key }: any) => key === 'scope').value
    const discovery = await (await fetch(`${service.url}/.well-known/openid-configuration`)).json()
    expect([settings.authUrl, settings.accessTokenUrl]).toEqual([discovery.authorization_endpoint, discovery.token_endpoint])
    // Users select optional scopes that change something on the consent page.
    const scopes = { requiredScopes: [...oauthScopes], optionalScopes: [] }
    const client = await createClient(database, { confidential: false, redirectUris: [settings.redirect_uri], ...scopes })
    const owner = await createPerson(database)
    await join(database, await database.prisma.team.findUniqueOrThrow({ where: { slug: 'acme' } }), owner, 'owner')
    const { body } = await exchangeCode(service, client, await authorize(service, client, owner, { changes: { scope } }))
    collection.auth.type = 'oauth2'
    expect(await send(collection, { ...variables, token: body.access_token })).toEqual(successes)
  })
})
