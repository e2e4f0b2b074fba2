import type { Ports } from '../core/ports.ts'
import { createDocumentCache } from '../core/outgoing/document-cache.ts'
import { OutgoingError } from '../core/outgoing/outgoing.ts'
import { refused } from '../core/validation.ts'
import { buildMetadataUrl, readIssuerUrl, refuseOtherIssuer } from '../oauth/issuers.ts'
import { parseMetadata } from './sign-in/oidc/documents.ts'
import type { ProviderMetadata } from './sign-in/oidc/documents.ts'

type IssuerPorts = Pick<Ports, 'outgoing' | 'now'>

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/**
 * Returns the issuer of an OpenID provider as it is written in its metadata. The metadata is fetched again, because an administrator may
 * just have corrected it. Throws `validation_failed` for `issuer` if it cannot be read or is that of another issuer: one host could
 * otherwise sign for another (OpenID Connect Discovery 1.0 §4.3).
 */
export async function readIssuer(ports: IssuerPorts, entered: string): Promise<string> {
  const issuer = readIssuerUrl(ports, entered)
  const url = buildMetadataUrl(withoutSlash(issuer))
  const metadata = await readMetadata(ports, url)
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) throw refuseOtherIssuer(url, metadata.issuer)
  return metadata.issuer
}

async function readMetadata(ports: IssuerPorts, url: string): Promise<ProviderMetadata> {
  try {
    return await createDocumentCache(ports, parseMetadata).get(url)
  } catch (error) {
    if (error instanceof OutgoingError) throw refused({ issuer: [`The metadata at ${url} cannot be used. ${error.message}`] })
    throw error
  }
}
