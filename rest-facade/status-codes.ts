import type { Route } from './route.ts'

/** Returns the status code of success: 204 for an empty response. */
export const getSuccessStatus = ({ response }: Pick<Route, 'response'>) => (response.kind === 'empty' ? 204 : 200)

/** Alias under which a document selects the version of its resource. It becomes the `ETag` and is not a member of the body. */
export const versionAlias = '_version'

/** Returns true if the responses of a route have an `ETag`. */
export const isVersioned = ({ document }: Pick<Route, 'document'>) => document.includes(`${versionAlias}:`)

/** Returns every status code of a route's responses, derived from its declaration. In tests, any other one throws. */
export function listStatuses(route: Route): number[] {
  const { method, query, body, pathParameters, operation, response } = route
  const identifiesResource = pathParameters.some((name) => name !== 'teamSlug')
  return [
    getSuccessStatus(route),
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

/** Returns every scope that meets a requirement of the route's operation. */
export const acceptedScopes = ({ operation }: Route) => [...new Set(operation.requirements.flatMap(({ scopes }) => scopes))]
