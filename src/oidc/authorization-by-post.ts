import { text } from 'express'
import type { RequestHandler } from 'express'

// The limit is that of a URL in Node. Clients can push longer requests.
export const readForm = text({ type: 'application/x-www-form-urlencoded', limit: '8kb' })

/**
 * An authorization request by POST continues as GET (OpenID Connect Core §3.1.2.1). Browsers send the session cookie, which is
 * `SameSite=Lax`, with this second request, but not with a form of another site.
 */
export const redirectToGet: RequestHandler = ({ body, path }, response) => {
  const parameters = new URLSearchParams(typeof body === 'string' ? body : '')
  response.set('Cache-Control', 'no-store').redirect(303, `${path}?${parameters}`)
}
