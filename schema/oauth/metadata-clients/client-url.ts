import { isIP } from 'node:net'
import type { Outgoing } from '../../core/outgoing/outgoing.ts'
import { getHost } from '../../core/outgoing/url-rules.ts'
import { isClientUrl } from '../clients/client-rules.ts'

/**
 * Returns true if a client identifier is a URL at which this service looks for the document of the client
 * (draft-ietf-oauth-client-id-metadata-document). Identifiers are compared character by character, so the URL must have one form. Its host
 * is a name, because teams allow names.
 */
export function isMetadataUrl(outgoing: Pick<Outgoing, 'brokenRule'>, clientId: string): boolean {
  const url = isClientUrl(clientId) ? URL.parse(clientId) : null
  if (!url || url.href !== clientId || url.pathname === '/' || /[?#]/.test(clientId)) return false
  return isIP(getHost(url)) === 0 && !url.hostname.endsWith('.') && outgoing.brokenRule(clientId) === null
}

/** Returns the host of a client by URL, without its port. Whoever controls a port has no certificate for the name, unless they control the host. */
export const getClientHost = (clientId: string): string => new URL(clientId).hostname
