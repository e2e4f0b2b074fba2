import { idempotencyKeyHeader } from '../http/idempotency-key.ts'
import { readSchemaName } from './components.ts'
import type { JsonSchema } from './components.ts'
import type { OpenApiDocument, OperationObject } from './document.ts'
import type { Parameter } from './schemas/request-schema.ts'

/** The page to which Postman lets the authorization server redirect. */
export const postmanRedirectUri = 'https://oauth.pstmn.io/v1/callback'

const description = `Set the variable \`token\` to a personal or team access token. The requests that list resources then set the variables of
the paths, such as \`teamSlug\`, which are empty at first.

To sign in instead, create an app under *Developers* on the account site with the redirect URI \`${postmanRedirectUri}\`. Set \`clientId\` to its
client ID and \`scope\` to its scopes, select *OAuth 2.0* as the type of authorization of the collection, and request a token.`

interface Entry {
  key: string
  value: string
  description: string
  disabled: boolean
}

/** Returns the operations of the document as a collection for Postman, in the format of version 2.1. */
export function buildPostmanCollection({ info, servers, tags, paths, components }: OpenApiDocument): object {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
  const pathParameters = new Map(
    operations.flatMap(({ operation }) => operation.parameters.flatMap((each) => (each.in === 'path' ? [[each.name, each] as const] : []))),
  )
  const otherServer = operations.flatMap(({ operation }) => operation.servers ?? [])[0]
  const { authorizationCode } = components.securitySchemes.oauth2.flows
  const variables = {
    baseUrl: servers[0]?.url ?? '',
    ...(otherServer && { flowBaseUrl: otherServer.url }),
    token: '',
    clientId: '',
    scope: Object.keys(authorizationCode.scopes).join(' '),
    ...Object.fromEntries([...pathParameters.keys()].map((name) => [name, ''])),
  }
  const oauth2 = {
    grant_type: 'authorization_code_with_pkce',
    challengeAlgorithm: 'S256',
    authUrl: authorizationCode.authorizationUrl,
    accessTokenUrl: authorizationCode.tokenUrl,
    redirect_uri: postmanRedirectUri,
    useBrowser: true,
    clientId: '{{clientId}}',
    client_authentication: 'body',
    scope: '{{scope}}',
    accessToken: '{{token}}',
    addTokenTo: 'header',
  }
  const toItem = ({ method, path, operation }: (typeof operations)[number]) => ({
    name: operation.summary,
    event: [...pathParameters.values()].flatMap((each) => buildScript(path, operation, each, paths)),
    request: buildRequest(method, path, operation, components.schemas),
    response: [],
  })
  return {
    info: {
      name: info.title,
      description,
      version: info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: toEntries({ token: '{{token}}' }), oauth2: toEntries(oauth2) },
    variable: toEntries(variables),
    item: tags.map((tag) => ({ ...tag, item: operations.filter(({ operation }) => operation.tags.includes(tag.name)).map(toItem) })),
  }
}

const toEntries = (values: Record<string, string | boolean>) =>
  Object.entries(values).map(([key, value]) => ({ key, value, type: typeof value }))

function buildRequest(method: string, path: string, operation: OperationObject, schemas: OpenApiDocument['components']['schemas']) {
  const { parameters, requestBody } = operation
  const list = (position: Parameter['in'], getValue: (parameter: Parameter) => string): Entry[] =>
    parameters
      .filter((parameter) => parameter.in === position)
      .map((each) => ({ key: each.name, value: getValue(each), description: each.description, disabled: !each.required }))
  const host = operation.servers ? '{{flowBaseUrl}}' : '{{baseUrl}}'
  const segments = path.slice(1).replace(/\{(\w+)\}/g, ':$1')
  return {
    method: method.toUpperCase(),
    description: operation.description,
    header: [
      ...(requestBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ...list('header', ({ name }) => (name === idempotencyKeyHeader ? '{{$guid}}' : '')),
    ],
    url: {
      raw: `${host}/${segments}`,
      host: [host],
      path: segments.split('/'),
      query: list('query', ({ schema }) => exampleValue(schema, schemas)),
      variable: list('path', ({ name }) => `{{${name}}}`),
    },
    ...(requestBody && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(requestBody.content['application/json'].example, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  }
}

/** Returns the default or first value of a parameter; empty if any text is allowed. */
function exampleValue(schema: JsonSchema, schemas: OpenApiDocument['components']['schemas']): string {
  if (schema.$ref !== undefined) return exampleValue(schemas[readSchemaName(schema.$ref)] ?? {}, schemas)
  if (typeof schema.items === 'object' && !Array.isArray(schema.items)) return exampleValue(schema.items, schemas)
  const example = schema.default ?? schema.enum?.[0] ?? ''
  return typeof example === 'string' ? example : JSON.stringify(example)
}

/** Returns the script that sets the variable of a path parameter to the first resource of a list, unless it has a value. */
function buildScript(path: string, { responses }: OperationObject, parameter: Parameter, paths: OpenApiDocument['paths']): object[] {
  const success = responses['200']
  const body: unknown = success && 'content' in success ? success.content?.['application/json']?.examples['plain']?.value : undefined
  if (!paths[`${path}/{${parameter.name}}`] || typeof body !== 'object' || body === null || !('data' in body)) return []
  const [example] = Array.isArray(body.data) ? body.data : []
  const [member] = Object.entries(example).find(([, value]) => value === parameter.example) ?? []
  const exec = [
    'const [first] = pm.response.code === 200 ? pm.response.json().data : []',
    `if (first && !pm.variables.get('${parameter.name}')) pm.collectionVariables.set('${parameter.name}', first.${member})`,
  ]
  return [{ listen: 'test', script: { type: 'text/javascript', exec } }]
}
