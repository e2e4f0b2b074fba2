import { Kind } from 'graphql'
import type { z } from 'zod'
import { prepareOperation } from '../schema/execute.ts'
import type { Operation } from '../schema/execute.ts'
import { checkDeprecation } from './http/deprecation.ts'
import type { Deprecation } from './http/deprecation.ts'
import { queryReader } from './query.ts'
import type { Tag } from './tags.ts'
import { createVariablesConverter } from './variables.ts'
import type { Input, ToVariables } from './variables.ts'

/** Conversion of an operation's data to the response. `at` is the path to the resource or list in the data. */
type ResponseForm =
  | { kind: 'resource'; at: string }
  | { kind: 'list'; at: string }
  | { kind: 'page'; at: string }
  | { kind: 'feed'; at: string }
  | { kind: 'empty' }

/** A documented route. Express path, validation, execution, envelope and OpenAPI are derived from this declaration. */
export interface RouteDeclaration {
  /** The name of the operation in OpenAPI and in error messages. */
  operationId: string
  /** The name of the tool of `/mcp` that executes the same operation (docs/decisions/agents.md#tools). */
  tool: string
  method: 'get' | 'patch' | 'post'
  /** Path below `/api` in OpenAPI's syntax. Each `{parameter}` becomes the GraphQL variable of the same name. */
  path: `/v1/${string}`
  tag: Tag
  summary: string
  description: string
  /** Query parameters; `per_page` becomes the variable `$perPage`. */
  query?: z.ZodObject
  /** Members of the JSON body, which become variables in the same way. */
  body?: z.ZodObject
  /** Further variables that are computed from the query parameters. */
  computed?: Record<string, (input: Input) => unknown>
  /** The GraphQL operation; its aliases are the public names of the response's members. */
  document: string
  response: ResponseForm
  /** Example of the body, for the documentation. */
  example?: Record<string, unknown>
  /** The route belongs to the flow API, which may have a base URL of its own. */
  isFlowApi?: true
  /** Present if clients should stop using the route (docs/decisions/api-documents.md#deprecated-routes). */
  deprecated?: Deprecation
}

export interface Route extends RouteDeclaration {
  operation: Operation
  /** Names of the path parameters, in order. */
  pathParameters: readonly string[]
  readQuery(search: string): Record<string, unknown>
  toVariables: ToVariables
}

/** Prepares a declaration. An inconsistent one stops the service at start with an error that contains the name of the route. */
export function route(declaration: RouteDeclaration): Route {
  const { operationId, method, path, query, body, computed = {}, document, response } = declaration
  // A repeated request gets the first response, of which only the status code is stored.
  if (method === 'post' && response.kind !== 'empty') throw new Error(`${operationId}: a POST responds without a body`)
  const operation = prepareOperation(operationId, document)
  const [definition] = operation.document.definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${operationId}: the document does not start with an operation`)
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  const names = [...pathParameters, ...Object.keys(query?.shape ?? {}), ...Object.keys(body?.shape ?? {}), ...Object.keys(computed)]
  try {
    if (declaration.deprecated) checkDeprecation(declaration.deprecated)
    const inputToVariables = createVariablesConverter(definition.variableDefinitions ?? [], names)
    const derivations = Object.entries(computed)
    const toVariables: ToVariables = (input) =>
      inputToVariables({ ...input, ...Object.fromEntries(derivations.map(([name, derive]) => [name, derive(input)])) })
    return {
      ...declaration,
      operation,
      pathParameters,
      readQuery: queryReader(query),
      toVariables: derivations.length ? toVariables : inputToVariables,
    }
  } catch (error) {
    throw new Error(`${operationId}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
