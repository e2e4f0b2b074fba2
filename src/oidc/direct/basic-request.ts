import type { ParsedUrlQuery } from 'node:querystring'
import type { Request } from 'express'
import { peekForm } from './form.ts'

/** Credentials that a client sends by HTTP Basic (RFC 6749 §2.3.1). */
export interface BasicCredentials {
  clientId: string
  secret: string
}

// Header fields for which oidc-provider does more, or refuses the request.
const unusualFields = ['origin', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop', 'transfer-encoding']

/** Returns true if oidc-provider would read more of a request than its form. */
export const isUnusual = ({ method, url, headers }: Request): boolean =>
  method !== 'POST' || url.includes('?') || unusualFields.some((name) => headers[name] !== undefined)

/**
 * Returns the contents of a request that consists of HTTP Basic authentication and a form, and leaves the form in the request for
 * oidc-provider. Null for other requests.
 */
export async function basicRequest(request: Request): Promise<{ client: BasicCredentials; form: ParsedUrlQuery } | null> {
  if (isUnusual(request)) return null
  const client = basicCredentials(request.headers.authorization)
  const form = client && (await peekForm(request))
  return form ? { client, form } : null
}

/** Returns credentials in their canonical form, without escaped characters. */
function basicCredentials(authorization = ''): BasicCredentials | null {
  const [, encoded = ''] = /^Basic ([\w+/=]+)$/i.exec(authorization) ?? []
  const decoded = Buffer.from(encoded, 'base64')
  const [, clientId, secret] = /^([\w.~-]+):([\w.~-]+)$/.exec(decoded.toString()) ?? []
  if (clientId === undefined || secret === undefined || decoded.toString('base64') !== encoded) return null
  return { clientId, secret }
}
