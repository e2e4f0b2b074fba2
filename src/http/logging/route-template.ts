import type { Request } from 'express'

/**
 * Returns the template of the route that serves a request, such as `/api/v1/teams/{teamSlug}`; null if none does. It contains nothing that
 * the client has sent, because a path can contain identifiers, and the secret of a link. Call it when the response ends.
 */
export function routeTemplate({ baseUrl, route }: Request): string | null {
  const path: unknown = route?.path
  if (typeof path !== 'string') return null
  // Express ignores case when it compares the path at which a router is mounted.
  return `${baseUrl.toLowerCase()}${path === '/' && baseUrl !== '' ? '' : path}`.replaceAll(/:(\w+)/g, '{$1}')
}
