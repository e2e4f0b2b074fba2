import { expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { schema } from '../../schema/index.ts'
import { publicSchema } from '../../schema/public-schema.ts'
import { commands } from '../../src/cli/commands/index.ts'
import { renderMail } from '../../src/mail/templates/mail-layout.ts'
import { derivedEndpoints, endpoints } from '../../src/oidc/provider/endpoints.ts'
import { enter } from '../support/account-site/page-content.ts'
import { everyPage } from '../support/account-site/every-page.ts'
import { names, seedSite } from '../support/account-site/seed.ts'
import { Browser } from '../support/browser/browser.ts'
import { createUser, personalToken, teamToken } from '../support/data/team.ts'
import { scenarios } from '../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../support/graphql/scenarios/scenario.ts'
import { printed, selectAll } from '../support/graphql/stores/select-all.ts'
import { brand } from '../support/mail/brand.ts'
import { everyMail } from '../support/mail/every-mail.ts'
import { runCli } from '../support/service/cli.ts'
import { executeAs, operator, sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'
import { unknownId, wrongDocuments } from './documents.ts'
import { createRecorder, fetchText, makeOrderStable } from './recorder.ts'

const service = useService()
const { database, url } = service
const record = createRecorder(process.env.RESPONSES_FOLDER ?? '', url)
type Seeded = Awaited<ReturnType<typeof seedSite>>

test('records every response', { timeout: 1_200_000 }, async () => {
  await makeOrderStable(service)
  const seeded = await seedSite(service, names.plain)
  const tokens: Record<string, string> = {
    owner: await personalToken(database, seeded.person),
    team: await teamToken(database, seeded.team),
    unscoped: await personalToken(database, seeded.person, { scopes: ['openid'] }),
    stranger: await personalToken(database, await createUser(database)),
    anonymous: '',
  }
  const send = (caller: string, target: string, method: string, body?: unknown) => {
    const headers = { ...(tokens[caller] && { authorization: `Bearer ${tokens[caller]}` }), 'content-type': 'application/json' }
    return fetchText(url + target, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  }
  await recordRoutes(seeded, send)
  await recordDocuments(seeded, send)
  await recordMutations()
  await recordPages(seeded)
  await recordEndpoints()
  for (const [kind, content] of Object.entries(everyMail({ name: names.plain, by: names.hostile, email: 'ada@example.test' })))
    record(`mails/${kind}`, renderMail(content, brand, names.plain))
  for (const name of ['', ...commands.map((each) => each.name)])
    record(`help/${name || 'all'}`, await runCli({}, [...name.split(' ').filter(Boolean), '--help']))
  expect(service.logged).toEqual([])
})

type Send = (caller: string, target: string, method: string, body?: unknown) => Promise<string>

async function recordRoutes({ parameters, team }: Seeded, send: Send): Promise<void> {
  const ids = {
    teamSlug: team.slug,
    appId: 'deploy',
    invoiceId: parameters.invoice,
    tokenId: parameters.teamToken,
    webhookId: parameters.webhook,
  }
  const values: Record<string, string> = { ...parameters, ...ids }
  for (const { operationId, path, method, example, query, body: schemaOfBody, pathParameters } of routes) {
    const expand = query && 'expand' in query.shape ? `?expand[]=${operationId.includes('tokens') ? 'previous_value' : 'lines'}` : ''
    const unknown = { [pathParameters.at(-1) ?? '']: unknownId }
    // The successful request comes last, since it may change something.
    const cases: Record<string, [caller: string, body: unknown, query?: string, changed?: Record<string, string>]> = {
      unauthenticated: ['anonymous', {}],
      'without-scope': ['unscoped', {}],
      'of-stranger': ['stranger', {}],
      'not-found': ['owner', example, '', unknown],
      'wrong-values': ['owner', { role: 5, email: 5, name: 5, url: 5, types: 5 }, '?per_page=0&page=x&after=x&expand[]=x'],
      'empty-body': ['owner', {}],
      'of-team-token': ['team', example],
      success: ['owner', example, expand],
    }
    for (const [name, [caller, body, search = '', changed]] of Object.entries(cases)) {
      const target = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => ({ ...values, ...changed })[each] ?? each)
      record(`rest/${operationId}.${name}`, await send(caller, `/api${target}${search}`, method.toUpperCase(), schemaOfBody && body))
    }
  }
}

async function recordDocuments({ person, team }: Seeded, send: Send): Promise<void> {
  const session = await sessionOf(service, person)
  for (const { name, ...body } of wrongDocuments(publicSchema(), team.slug))
    for (const caller of ['anonymous', 'owner', 'stranger'])
      record(`graphql/${name}.${caller}`, await send(caller, '/graphql', 'POST', body))
  for (const { name, query, variables } of wrongDocuments(schema, team.slug))
    for (const [caller, principal] of Object.entries({ session, operator }))
      record(`graphql/${name}.${caller}`, await executeAs(service, principal, query, variables).catch(String))
  const queries = publicSchema().getQueryType()
  for (const field of queries ? selectAll(queries).filter(({ fields }) => fields) : [])
    record(`graphql/read-${field.name}`, (await executeAs(service, session, printed([field]))).data)
}

async function recordMutations(): Promise<void> {
  for (const [name, { document, prepare }] of Object.entries(scenarios)) {
    const { principal, variables, browser } = await prepare(await createScenarioContext(service))
    const before = service.mails.length
    const { data, refusal } = await executeAs(service, principal, document, variables, undefined, browser)
    record(`graphql/mutation-${name}.success`, { data, refusal, mails: service.mails.slice(before) })
  }
}

async function recordPages({ person, userWithSecondFactor, links, parameters }: Seeded): Promise<void> {
  const viewers = { anonymous: new Browser(url), visitor: new Browser(url), owner: new Browser(url) }
  // As in test/support/account-site/two-tabs.ts: pages of mail links and of the second factor need what was opened before.
  for (const browser of [viewers.visitor, viewers.owner])
    for (const path of [...Object.values(links).map((secret) => `/links/${secret}`), `/invitations/${parameters.secret}`])
      await browser.open(path)
  await enter(viewers.visitor, userWithSecondFactor)
  await enter(viewers.owner, person)
  for (const { declared, path } of [...everyPage(parameters), { declared: '/no-such-page', path: '/no-such-page' }])
    for (const [viewer, { cookies }] of Object.entries(viewers)) {
      const cookie = [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
      record(`pages/${viewer}/${declared}`, await fetchText(url + path, { headers: { accept: 'text/html', cookie } }))
    }
}

async function recordEndpoints(): Promise<void> {
  const documents = ['/api/openapi.json', '/api/docs', '/graphql', '/.well-known/oauth-protected-resource/api', '/scim/v2/Users', '/']
  for (const path of documents) record(`endpoints/GET ${path}`, await fetchText(url + path))
  for (const [name, { path, methods }] of Object.entries({ ...endpoints, ...derivedEndpoints }))
    for (const method of methods) record(`endpoints/${method} ${name}`, await fetchText(url + path, { method }))
}
