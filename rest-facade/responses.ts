import type { Route } from './route.ts'

/** Status code of success: 204 where nothing is answered (decisions §4). */
export const successOf = ({ answer }: Pick<Route, 'answer'>) => (answer.kind === 'empty' ? 204 : 200)

/** Every status code a route can answer with, as its declaration implies; the router holds itself to them in tests. */
export function statusesOf(route: Route): number[] {
  const { query, body, pathParameters, operation } = route
  const namesOne = pathParameters.some((name) => name !== 'teamSlug')
  return [
    successOf(route),
    ...(body ? [400] : []),
    401,
    ...(operation.requirements.length > 0 || pathParameters.length > 0 ? [403] : []),
    ...(namesOne ? [404] : []),
    ...(body ? [413, 415] : []),
    ...(query || body ? [422] : []),
    429,
    500,
    503,
  ]
}

/** Scopes any one of which the route's operation asks for. */
export const acceptedScopes = ({ operation }: Route) => [...new Set(operation.requirements.flatMap(({ scopes }) => scopes))]
