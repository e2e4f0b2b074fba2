import type { RequestHandler } from 'express'

/** A path with the slug of a team: its pages and files, and its sign-in page. Slugs have lower-case ASCII letters, digits and hyphens. */
const pathWithSlug = /^\/(teams(?=\/[\w-]+(?:\/|$))|sign-in(?=\/[\w-]+$))\/([\w-]+)/

/**
 * Redirects from addresses that people typed or wrote with capital letters, such as `/teams/Northwind`. Forms are not redirected, because the
 * browser would send no fields.
 */
export const redirectToLowerCaseSlug: RequestHandler = (request, response, next) => {
  const { method, path, originalUrl } = request
  const [start, section, slug] = pathWithSlug.exec(path) ?? []
  if ((method !== 'GET' && method !== 'HEAD') || start === undefined || slug === undefined || slug === slug.toLowerCase()) return next()
  const query = originalUrl.indexOf('?')
  response.redirect(301, `/${section}/${slug.toLowerCase()}${path.slice(start.length)}${query === -1 ? '' : originalUrl.slice(query)}`)
}
