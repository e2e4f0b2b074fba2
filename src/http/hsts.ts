import type { RequestHandler } from 'express'

/**
 * Returns the header field that makes browsers use only https for this host (RFC 6797), if the service has an https address. It has no
 * `includeSubDomains`, because the subdomains of the host can belong to other services. Browsers ignore the field over http.
 */
export const transportSecurityFields = (authUrl: string): Record<string, string> =>
  authUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}

/** Adds the field to every response. */
export function strictTransportSecurity(authUrl: string): RequestHandler {
  const fields = transportSecurityFields(authUrl)
  return (_, response, next) => {
    Object.assign(response.locals.fields, fields)
    next()
  }
}
