import { z } from 'zod'
import type { Outgoing } from '../../../core/outgoing/outgoing.ts'
import { OutgoingError } from '../../../core/outgoing/outgoing.ts'
import { createDocumentCache } from '../../../core/outgoing/document-cache.ts'
import type { DocumentCache } from '../../../core/outgoing/document-cache.ts'
import { parseKeySet } from '../../../workload-identities/assertions/issuer-keys.ts'
import type { KeySet } from '../../../workload-identities/assertions/issuer-keys.ts'
import { UnusableProviderError } from '../../protocol.ts'
import type { ProtocolPorts } from '../../protocol.ts'
import { removeNullsInJson } from './absent-members.ts'

// The metadata and keys of OpenID providers, kept for some time in each process.

const endpoint = z.url({ protocol: /^https?$/ })
/** What a sign-in needs of the metadata (OpenID Connect Discovery 1.0 §3). */
const metadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})
export type ProviderMetadata = z.output<typeof metadata>

interface Documents {
  metadata: DocumentCache<ProviderMetadata>
  keys: DocumentCache<KeySet>
}

const documents = new WeakMap<Outgoing, Documents>()

function documentsOf(ports: ProtocolPorts): Documents {
  const found = documents.get(ports.outgoing)
  if (found) return found
  const created = { metadata: createDocumentCache(ports, parseMetadata), keys: createDocumentCache(ports, parseKeySet) }
  documents.set(ports.outgoing, created)
  return created
}

/**
 * Returns the metadata at a URL (OpenID Connect Discovery 1.0 §4), which can be that of another issuer. It is soon read again if it is, or if its key set could
 * not be read: somebody corrects it then. Throws an `UnusableProviderError`.
 */
export function readMetadata(
  ports: ProtocolPorts,
  url: string,
  isOfIssuer: (metadata: ProviderMetadata) => boolean,
): Promise<ProviderMetadata> {
  const { metadata, keys } = documentsOf(ports)
  const isExpected = (document: ProviderMetadata) => isOfIssuer(document) && !keys.hasFailed(document.jwks_uri)
  return read('metadata', () => metadata.get(url, { isExpected }))
}

/** Returns the key set at a URL, with the key of this identifier if the provider has it. Throws an `UnusableProviderError`. */
export const readKeys = (ports: ProtocolPorts, url: string, kid: string | undefined): Promise<KeySet> =>
  read('key set', () => documentsOf(ports).keys.get(url, { isSufficient: ({ kids }) => kid === undefined || kids.has(kid) }))

/** Reads the metadata of a provider. Throws an `OutgoingError`. */
export function parseMetadata(json: unknown): ProviderMetadata {
  const { data, error } = metadata.safeParse(removeNullsInJson(json))
  if (!data) throw new OutgoingError(`Its member ${String(error.issues[0]?.path[0] ?? 'issuer')} is missing or not valid.`)
  return data
}

async function read<Document>(name: string, get: () => Promise<Document>): Promise<Document> {
  try {
    return await get()
  } catch (error) {
    if (error instanceof OutgoingError) throw new UnusableProviderError(`Its ${name} cannot be read. ${error.message}`, { cause: error })
    throw error
  }
}
