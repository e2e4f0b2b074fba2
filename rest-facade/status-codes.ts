import type { Route } from './route.ts'

/** The status code of success: 204 for an empty response. */
export const successOf = ({ response }: Pick<Route, 'response'>) => (response.kind === 'empty' ? 204 : 200)

/** The alias under which a document selects the version of its resource. It becomes the `ETag` and is no member of the body. */
export const versionAlias = '_version'

/** Whether the responses of a route carry an `ETag`. */
export const isVersioned = ({ document }: Pick<Route, 'document'>) => document.includes(`${versionAlias}:`)

/** Every status code that a route can respond with, derived from its declaration. In tests any other one throws. */
export function statusesOf(route: Route): number[] {
  const { method, query, body, pathParameters, operation, response } = route
  const identifiesResource = pathParameters.some((name) => name !== 'teamSlug')
  return [
    successOf(route),
    ...(method === 'get' && isVersioned(route) ? [304] : []),
    ...(body ? [400] : []),
    401,
    ...(operation.requirements.length > 0 || pathParameters.length > 0 ? [403] : []),
    ...(identifiesResource ? [404] : []),
    ...(response.kind === 'feed' ? [410] : []),
    ...(method === 'patch' && isVersioned(route) ? [412] : []),
    ...(body ? [413, 415] : []),
    ...(query || body ? [422] : []),
    429,
    500,
    503,
  ]
}

/** Every scope that satisfies a requirement of the route's operation. */
export const acceptedScopes = ({ operation }: Route) => [...new Set(operation.requirements.flatMap(({ scopes }) => scopes))]
