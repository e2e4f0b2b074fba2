import { notModifiedResponse, successResponse } from './responses.ts'
import { Components } from './components.ts'
import type { Header, JsonSchema, Reference, Response } from './components.ts'
import { exchangeHeaders, successHeaders } from './headers.ts'
import { guides } from './guides.ts'
import { ErrorResponses } from './problems.ts'
import { buildSecurity, securitySchemes } from './security.ts'
import type { SecurityRequirement } from './security.ts'
import { buildParameters, buildRequestBody } from './schemas/request-schema.ts'
import type { Parameter, RequestBody } from './schemas/request-schema.ts'
import { acceptedScopes, listStatuses, getSuccessStatus } from '../status-codes.ts'
import type { Route } from '../route.ts'
import { routes } from '../routes/index.ts'
import { tags } from '../tags.ts'
import { webhookParameters, buildWebhooks } from './webhook-operations.ts'

/** The base URLs in a document. */
export interface Addresses {
  /** Public origin, without a slash at its end. */
  publicUrl: string
  /** Base URL of the flow API, ending in `/api/v1`, if it is a different one. */
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
  deprecated?: true
  security: SecurityRequirement[]
  parameters: Parameter[]
  requestBody?: RequestBody
  responses: Record<string, Response | Reference>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  externalDocs: { description: string; url: string }
  servers: Server[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<Route['method'], OperationObject>>>
  webhooks: ReturnType<typeof buildWebhooks>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    headers: Record<string, Header>
    parameters: typeof webhookParameters
    securitySchemes: ReturnType<typeof securitySchemes>
  }
}

const description = `Accounts, teams and invoices for a family of products.

Every request needs a bearer credential: an OAuth 2.0 access token, a personal access token or a team access token. The scopes of the
credential, the teams that it is limited to and the current role of its user decide what it can do.

Times are in the format of RFC 3339, in UTC with milliseconds. Amounts of money are integers in the minor unit of the currency. Identifiers are
opaque strings. Within a version, responses can get new members, and enumerations with \`x-open-enum\` new values: ignore those that you do not
know.`

const listFormats = (apiUrl: string) =>
  `This document as [OpenAPI 3.1](${apiUrl}/openapi.json), as [OpenAPI 3.0](${apiUrl}/openapi-3.0.json) for tools that do not read 3.1, and as a [Postman collection](${apiUrl}/postman.json).`

/** Returns the OpenAPI document, computed from the declarations of all routes. Throws if one lacks a description or an example. */
export function openApiDocument({ publicUrl, flowBaseUrl }: Addresses): OpenApiDocument {
  const components = new Components()
  const errorResponses = new ErrorResponses(components, publicUrl)
  const apiUrl = `${publicUrl}/api`
  // Paths contain the version, so the URL of a server does not.
  const flowServers = flowBaseUrl ? [{ url: flowBaseUrl.replace(/\/v1$/, ''), description: 'The flow API' }] : undefined
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const operation = buildOperation(route, apiUrl, components, errorResponses)
    const operations = (paths[route.path] ??= {})
    operations[route.method] = route.isFlowApi && flowServers ? { ...operation, servers: flowServers } : operation
  }
  const webhooks = buildWebhooks(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Team Account Service',
      version: '1.0.0',
      description: `${description}\n\n${listFormats(apiUrl)}\n\n${guides(publicUrl, errorResponses.problems)}`,
    },
    externalDocs: { description: 'The API reference, with links to this document in other formats', url: `${apiUrl}/docs` },
    servers: [{ url: apiUrl, description: 'The account API' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: sorted(components.schemas),
      responses: errorResponses.responses,
      headers: { ...exchangeHeaders, ...successHeaders },
      parameters: webhookParameters,
      securitySchemes: securitySchemes(publicUrl),
    },
  }
}

function buildOperation(route: Route, apiUrl: string, components: Components, errorResponses: ErrorResponses): OperationObject {
  const { operationId, summary, tag } = route
  const success = getSuccessStatus(route)
  const requestBody = buildRequestBody(route, components)
  const buildResponse = (status: number) => {
    if (status === success) return successResponse(route, apiUrl, components)
    return status === 304 ? notModifiedResponse(route) : errorResponses.refer(status)
  }
  const responses = listStatuses(route).map((status): [number, Response | Reference] => [status, buildResponse(status)])
  return {
    operationId,
    summary,
    ...(route.deprecated && { deprecated: true }),
    description: [route.description, requirementsText(route), deprecationText(route)].filter(Boolean).join('\n\n'),
    tags: [tag],
    security: buildSecurity(route),
    parameters: buildParameters(route, components),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(responses),
  }
}

/** Returns the required scopes and roles as text. Documentation pages hardly show scopes, and OpenAPI has no field for roles. */
function requirementsText(route: Route): string {
  const scopes = acceptedScopes(route).map((scope) => `\`${scope}\``)
  const roles = [...new Set(route.operation.requirements.flatMap((requirement) => requirement.roles ?? []))]
  const needs = [
    ...(scopes.length > 0 ? [`the scope ${scopes.join(' or ')}`] : []),
    ...(roles.length > 0 ? [`the role ${roles.join(' or ')}`] : []),
  ]
  return needs.length > 0 ? `Needs ${needs.join(' and ')}.` : ''
}

function deprecationText({ deprecated }: Route): string {
  if (!deprecated) return ''
  const { since, sunset, successor } = deprecated
  const texts = [`Deprecated since ${since}.`, sunset && `It may be missing from ${sunset}.`, successor && `Use \`${successor}\` instead.`]
  return texts.filter(Boolean).join(' ')
}

const sorted = <T>(record: Record<string, T>) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
