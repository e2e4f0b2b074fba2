import type { Context } from '../core/context.ts'
import { createDocumentCache } from '../core/outgoing/document-cache.ts'
import { OutgoingError } from '../core/outgoing/outgoing.ts'
import { buildMetadataUrl, readIssuerUrl, refuseOtherIssuer } from '../oauth/issuers.ts'
import { parseIssuerMetadata } from './assertions/issuer-keys.ts'
import { findPreset } from './presets.ts'

type IssuerPorts = Pick<Context, 'outgoing' | 'now'>

const withoutSlash = (url: string) => url.replace(/\/$/, '')

/**
 * Returns an issuer in the form of its ID tokens, because `iss` is compared exactly. Known providers have one form, and the metadata of
 * another issuer contains it. An issuer whose metadata cannot be read is accepted, because it may not be reachable yet. Throws
 * `validation_failed` if requests may not be sent to it, and if the metadata is that of another issuer.
 */
export async function normalizeIssuer(ports: IssuerPorts, entered: string): Promise<string> {
  const text = readIssuerUrl(ports, entered)
  const { origin, pathname } = new URL(text)
  // A URL without a path has the path `/`.
  const bare = withoutSlash(origin + pathname)
  if (findPreset(bare)) return bare
  const url = buildMetadataUrl(bare)
  const issuer = await readIssuerName(ports, url)
  if (issuer === null) return text.endsWith('/') ? `${bare}/` : bare
  if (withoutSlash(issuer) !== bare && withoutSlash(issuer) !== withoutSlash(text)) throw refuseOtherIssuer(url, issuer)
  return issuer
}

/** Returns the issuer in the metadata, or null. It is fetched again, because an administrator may just have corrected it. */
async function readIssuerName(ports: IssuerPorts, url: string): Promise<string | null> {
  try {
    return (await createDocumentCache(ports, parseIssuerMetadata).get(url)).issuer
  } catch (error) {
    if (error instanceof OutgoingError) return null
    throw error
  }
}
