import { answerOf } from './openapi-answers.ts'
import { Components } from './openapi-components.ts'
import type { JsonSchema, Reference, Response } from './openapi-components.ts'
import { exchangeHeaders } from './openapi-headers.ts'
import type { Header } from './openapi-headers.ts'
import { Refusals } from './openapi-problems.ts'
import { securityOf, securitySchemes } from './openapi-security.ts'
import type { SecurityRequirement } from './openapi-security.ts'
import { parametersOf, requestBodyOf } from './request-schema.ts'
import type { Parameter, RequestBody } from './request-schema.ts'
import { acceptedScopes, statusesOf, successOf } from './responses.ts'
import type { Route } from './route.ts'
import { routes } from './routes/index.ts'
import { tags } from './tags.ts'

/** The addresses a document names. */
export interface Addresses {
  /** Public origin, without a slash at its end. */
  publicUrl: string
  /** Base of the flow API, ending in `/api/v1`, where it is another. */
  flowBaseUrl?: string | undefined
}

interface Server {
  url: string
  description: string
}

export interface OperationObject {
  operationId: string
  summary: string
  description: string
  tags: string[]
  servers?: Server[]
  security: SecurityRequirement[]
  parameters: Parameter[]
  requestBody?: RequestBody
  responses: Record<string, Response | Reference>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: Server[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<Route['method'], OperationObject>>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    headers: Record<string, Header>
    securitySchemes: ReturnType<typeof securitySchemes>
  }
}

const description = `Accounts and teams of a family of products.

Every request carries a bearer credential: an OAuth 2.0 access token, a personal access token or a team access token. What it may do is what its
scopes, the present role of its person and the team it is limited to all allow.

Instants are RFC 3339 in UTC with milliseconds, money is an integer in minor units of its currency, identifiers are opaque strings. Members may be
added to answers within a version: ignore those you do not know.`

/** The OpenAPI document of every route, computed from its declaration. Throws where a declaration lacks words or a sample. */
export function openApiDocument({ publicUrl, flowBaseUrl }: Addresses): OpenApiDocument {
  const components = new Components()
  const refusals = new Refusals(components, publicUrl)
  const apiUrl = `${publicUrl}/api`
  // Paths have their version, so a server's address ends before it.
  const flowServers = flowBaseUrl ? [{ url: flowBaseUrl.replace(/\/v1$/, ''), description: 'The flow API' }] : undefined
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const operation = operationOf(route, apiUrl, components, refusals)
    const operations = (paths[route.path] ??= {})
    operations[route.method] = route.isFlowApi && flowServers ? { ...operation, servers: flowServers } : operation
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Team Account Service', version: '1.0.0', description },
    servers: [{ url: apiUrl, description: 'The account API' }],
    tags: Object.entries(tags).map(([name, words]) => ({ name, description: words })),
    paths,
    components: {
      schemas: sorted(components.schemas),
      responses: refusals.responses,
      headers: exchangeHeaders,
      securitySchemes: securitySchemes(publicUrl),
    },
  }
}

function operationOf(route: Route, apiUrl: string, components: Components, refusals: Refusals): OperationObject {
  const { operationId, summary, tag } = route
  const success = successOf(route)
  const requestBody = requestBodyOf(route, components)
  const responses = statusesOf(route).map((status): [number, Response | Reference] => [
    status,
    status === success ? answerOf(route, apiUrl, components) : refusals.refer(status),
  ])
  return {
    operationId,
    summary,
    description: [route.description, needsOf(route)].filter(Boolean).join('\n\n'),
    tags: [tag],
    security: securityOf(route),
    parameters: parametersOf(route, components),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(responses),
  }
}

/** What an operation needs, in words: pages show a security requirement's scopes hardly, and none can say a role. */
function needsOf(route: Route): string {
  const scopes = acceptedScopes(route).map((scope) => `\`${scope}\``)
  const roles = [...new Set(route.operation.requirements.flatMap((requirement) => requirement.roles ?? []))]
  const needs = [
    ...(scopes.length > 0 ? [`the scope ${scopes.join(' or ')}`] : []),
    ...(roles.length > 0 ? [`the role ${roles.join(' or ')}`] : []),
  ]
  return needs.length > 0 ? `Needs ${needs.join(' and ')}.` : ''
}

const sorted = <T>(record: Record<string, T>) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
