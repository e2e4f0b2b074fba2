import type { RequestHandler } from 'express'

/**
 * Makes browsers use this host over https only (RFC 6797), if the service has an https address. Without
 * `includeSubDomains`: the subdomains of the host can belong to other services. Browsers ignore the field over http.
 */
export function strictTransportSecurity(authUrl: string): RequestHandler {
  if (!authUrl.startsWith('https:')) return (_request, _response, next) => next()
  return (_, response, next) => {
    response.locals.fields['Strict-Transport-Security'] = 'max-age=31536000'
    next()
  }
}
