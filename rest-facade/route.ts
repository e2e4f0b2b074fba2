import { Kind } from 'graphql'
import type { z } from 'zod'
import { prepareOperation } from '../schema/execute.ts'
import type { Operation } from '../schema/execute.ts'
import type { Answer } from './envelope.ts'
import type { Tag } from './tags.ts'
import { queryReader } from './validation.ts'
import { variablesOf } from './variables.ts'
import type { Input, ToVariables } from './variables.ts'

/** One documented route: everything about it, from which path, validation, execution, envelope and OpenAPI derive. */
export interface RouteDeclaration {
  /** As the contract names it, or after its pattern. */
  operationId: string
  method: 'get' | 'patch' | 'post'
  /** Path below `/api` in OpenAPI's form; each `{parameter}` is the GraphQL variable of that name. */
  path: `/v1/${string}`
  tag: Tag
  summary: string
  description: string
  /** Query parameters; `per_page` is the variable `$perPage`. */
  query?: z.ZodObject
  /** Members of the JSON body, likewise. */
  body?: z.ZodObject
  /** Further variables, made of the query's parameters. */
  derived?: Record<string, (input: Input) => unknown>
  /** The one GraphQL operation; its aliases are the public names. */
  document: string
  answer: Answer
  /** Example of the body, for the documentation. */
  example?: Record<string, unknown>
  /** Served under the flow API's address where that is another. */
  isFlowApi?: true
}

export interface Route extends RouteDeclaration {
  operation: Operation
  /** Names of the path's parameters, in order. */
  pathParameters: readonly string[]
  readQuery(search: string): Record<string, unknown>
  toVariables: ToVariables
}

/** Prepares a declaration. What does not fit together stops the service at start, with the route's name. */
export function route(declaration: RouteDeclaration): Route {
  const { operationId, path, query, body, derived = {}, document } = declaration
  const operation = prepareOperation(operationId, document)
  const [definition] = operation.document.definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${operationId}: not one operation`)
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  const names = [...pathParameters, ...Object.keys(query?.shape ?? {}), ...Object.keys(body?.shape ?? {}), ...Object.keys(derived)]
  try {
    const fromNames = variablesOf(definition.variableDefinitions ?? [], names)
    const derivations = Object.entries(derived)
    const toVariables: ToVariables = (input) =>
      fromNames({ ...input, ...Object.fromEntries(derivations.map(([name, derive]) => [name, derive(input)])) })
    return {
      ...declaration,
      operation,
      pathParameters,
      readQuery: queryReader(query),
      toVariables: derivations.length ? toVariables : fromNames,
    }
  } catch (error) {
    throw new Error(`${operationId}: ${(error as Error).message}`, { cause: error })
  }
}
