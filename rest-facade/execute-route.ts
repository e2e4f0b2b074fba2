import { cancellableContext } from '../schema/core/cancellation/cancellable-context.ts'
import type { Context } from '../schema/core/context.ts'
import { parseGlobalId } from '../schema/core/global-id.ts'
import { parse } from '../schema/core/validation.ts'
import { authorizeOperation, run } from '../schema/execute.ts'
import { responseContent } from './response-body.ts'
import type { Content } from './response-body.ts'
import type { Route } from './route.ts'

/** The input of a route as REST or a tool call contains it, not yet validated. */
export interface RouteInput {
  /** The path parameters by name. */
  parameters: Readonly<Record<string, unknown>>
  /** The query parameters. */
  query: Record<string, unknown>
  /** Returns the JSON body. It is called after the caller is authorized. */
  readBody(): unknown
  /** Returns the client's conditions for a change, if there are any. */
  buildConditions?(input: { parameters: object; variables: object }): Partial<Context> | undefined
}

type RouteExecution = (context: Context, connection: { destroyed: boolean }, input: RouteInput) => Promise<Content>

/**
 * Returns a function that executes the operation of a route for every interface. It checks in the order of
 * docs/decisions/errors.md#order-of-refusal: team, scope and role before body and parameters.
 */
export function createRouteExecution(route: Route, publicUrl: string): RouteExecution {
  const buildContent = responseContent(route, publicUrl)
  return async (uncancelled, connection, { parameters: sent, query, readBody, buildConditions }) => {
    const context = route.method === 'get' ? cancellableContext(uncancelled, connection) : uncancelled
    const parameters = Object.fromEntries(route.pathParameters.map((name) => [name, getIdentifier(String(sent[name]))]))
    await authorizeOperation(route.operation, context, parameters.teamSlug ?? null)
    const body = route.body ? parse(route.body, await readBody()) : {}
    const variables = route.toVariables({ ...parameters, ...(route.query ? parse(route.query, query) : {}), ...body })
    const conditions = buildConditions?.({ parameters, variables })
    const data = await run(route.operation, variables, conditions ? { ...context, ...conditions } : context)
    return buildContent(data, parameters, query)
  }
}

/** Checks a path parameter. Routes accept only the identifiers of REST: the global id of an object identifies nothing. */
const getIdentifier = (parameter: string) => (parseGlobalId(parameter) ? '' : parameter)
