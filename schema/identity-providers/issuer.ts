import type { Ports } from '../core/context.ts'
import { createDocumentCache } from '../core/outgoing/document-cache.ts'
import { OutgoingError } from '../core/outgoing/outgoing.ts'
import { refused } from '../core/validation.ts'
import { parseMetadata } from './sign-in/oidc/documents.ts'
import type { ProviderMetadata } from './sign-in/oidc/documents.ts'

type IssuerPorts = Pick<Ports, 'outgoing' | 'now'>

const metadataPath = '/.well-known/openid-configuration'
const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/**
 * Returns the issuer of an OpenID provider as its metadata writes it. The metadata is read anew, because an administrator may just have
 * corrected it. Throws `validation_failed` with a message for `issuer` if it cannot be read or is that of another issuer: one host could
 * otherwise sign for another (OpenID Connect Discovery 1.0 §4.3). The address of the metadata is accepted, too, since providers show it.
 */
export async function readIssuer(ports: IssuerPorts, given: string): Promise<string> {
  const issuer = given.endsWith(metadataPath) ? given.slice(0, -metadataPath.length) : given
  const rule = ports.outgoing.brokenRule(issuer) ?? (/[?\s]/.test(issuer) ? 'be a URL without a query' : null)
  if (rule !== null) throw refusedIssuer(`The :attribute field must ${rule}.`)
  const url = withoutSlash(issuer) + metadataPath
  const metadata = await readMetadata(ports, url)
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer))
    throw refusedIssuer(`The metadata at ${url} is that of another issuer: ${metadata.issuer.slice(0, 255)}.`)
  return metadata.issuer
}

async function readMetadata(ports: IssuerPorts, url: string): Promise<ProviderMetadata> {
  try {
    return await createDocumentCache(ports, parseMetadata).get(url)
  } catch (error) {
    if (error instanceof OutgoingError) throw refusedIssuer(`The metadata at ${url} cannot be used. ${error.message}`)
    throw error
  }
}

const refusedIssuer = (message: string) => refused({ issuer: [message] })
