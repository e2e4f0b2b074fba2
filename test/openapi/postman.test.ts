import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { buildPostmanCollection, postmanRedirectUri } from '../../rest-facade/openapi/postman-collection.ts'
import { tags } from '../../rest-facade/tags.ts'

const document = JSON.parse(
  JSON.stringify(openApiDocument({ publicUrl: 'https://account.acme.test', flowBaseUrl: 'https://flow.acme.test/api/v1' })),
)
const collection = JSON.parse(JSON.stringify(buildPostmanCollection(document)))
const folders: any[] = collection.item
const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, operation]) => ({ method, path, operation })),
)
const findRequest = (summary: string) => folders.flatMap(({ item }) => item).find(({ name }) => name === summary)
const entries = (list: any[]) => Object.fromEntries(list.map(({ key, value }) => [key, value]))

describe('the Postman collection', () => {
  test('has a folder for each tag, and in it a request for each operation', () => {
    const expected = Object.entries(tags).map(([name, description]) => [
      name,
      description,
      operations.filter(({ operation }) => operation.tags[0] === name).map(({ operation }) => operation.summary),
    ])
    expect(folders.map(({ name, description, item }) => [name, description, item.map((each: any) => each.name)])).toEqual(expected)
  })

  test.each(operations)('has the method, path, parameters and body of $operation.operationId', ({ method, path, operation }) => {
    const { request } = findRequest(operation.summary)
    const server = operation.servers ? '{{flowBaseUrl}}' : '{{baseUrl}}'
    expect([request.method, request.url.raw]).toEqual([method.toUpperCase(), server + path.replace(/\{(\w+)\}/g, ':$1')])
    expect([...request.url.host, ...request.url.path].join('/')).toBe(request.url.raw)
    const sent = { path: request.url.variable, query: request.url.query, header: request.header }
    for (const [position, list] of Object.entries<any>(sent)) {
      const declared = operation.parameters.filter((parameter: any) => parameter.in === position)
      const isEnabled = (parameter: any) => [parameter.key, parameter.description, parameter.disabled !== true]
      const parameters = list.filter(({ key }: any) => key !== 'Content-Type').map(isEnabled)
      expect(parameters).toEqual(declared.map(({ name, description, required }: any) => [name, description, required]))
    }
    const content = operation.requestBody?.content['application/json']
    expect(request.body && JSON.parse(request.body.raw)).toEqual(content?.example)
    expect(entries(request.header)['Content-Type']).toBe(content && 'application/json')
  })

  test('has examples of query parameters', () => {
    const values = (summary: string) => entries(findRequest(summary).request.url.query)
    expect(values('List invoices')).toEqual({ page: '1', per_page: '50', app_id: 'domain', sort: 'desc', 'expand[]': 'lines' })
    expect(values('List events')).toMatchObject({ after: '', 'types[]': 'team.updated' })
  })

  test('has variables for the URLs of this service, the token and each path parameter, and both kinds of authorization', () => {
    const { authorizationCode } = document.components.securitySchemes.oauth2.flows
    const names = operations.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    expect(entries(collection.variable)).toEqual({
      baseUrl: 'https://account.acme.test/api',
      flowBaseUrl: 'https://flow.acme.test/api',
      token: '',
      clientId: '',
      scope: Object.keys(authorizationCode.scopes).join(' '),
      ...Object.fromEntries(names.map((name) => [name, ''])),
    })
    expect([collection.auth.type, entries(collection.auth.bearer)]).toEqual(['bearer', { token: '{{token}}' }])
    expect(entries(collection.auth.oauth2)).toMatchObject({
      grant_type: 'authorization_code_with_pkce',
      challengeAlgorithm: 'S256',
      authUrl: authorizationCode.authorizationUrl,
      accessTokenUrl: authorizationCode.tokenUrl,
      redirect_uri: postmanRedirectUri,
      scope: '{{scope}}',
      clientId: '{{clientId}}',
    })
  })

  test('stores the first resource of a list in the variable of its path parameter', () => {
    const script = (summary: string) => findRequest(summary).event.map((each: any) => each.script.exec.at(-1))
    const store = (name: string, member: string) =>
      `if (first && !pm.variables.get('${name}')) pm.collectionVariables.set('${name}', first.${member})`
    expect(script('List teams')).toEqual([store('teamSlug', 'slug')])
    expect(script('List invoices')).toEqual([store('invoiceId', 'id')])
    expect(script('Show a team')).toEqual([])
  })
})
