import { createLocalJWKSet } from 'jose'
import { z } from 'zod'
import type { Ports } from '../../core/context.ts'
import { createDocumentCache } from '../../core/outgoing/document-cache.ts'
import { OutgoingError } from '../../core/outgoing/outgoing.ts'
import { usableKeys } from '../../oauth/public-keys.ts'

// The keys of issuers, kept for some time in each process. They only say who signed a token: whether an identity exists and what it
// demands is read from the database with each request.

/** The keys of an issuer cannot be read. The message says why, for people. */
export class IssuerError extends Error {}

/** The public keys of an issuer. */
export interface KeySet {
  /** Identifiers of the keys. */
  kids: ReadonlySet<string>
  /** Finds the key of a signature. */
  keyOf: ReturnType<typeof createLocalJWKSet>
}

export interface IssuerKeys {
  /** Returns the keys of an issuer, among them that with this identifier if the issuer has it. Throws an `IssuerError`. */
  find(issuer: string, kid: string | undefined): Promise<KeySet>
}

/** Reads the metadata of issuers (OpenID Connect Discovery 1.0 §4) and their keys. */
export function createIssuerKeys(ports: { outgoing: Pick<Ports['outgoing'], 'send'> } & Pick<Ports, 'now'>): IssuerKeys {
  const metadata = createDocumentCache(ports, parseMetadata)
  const keySets = createDocumentCache(ports, parseKeySet)
  return {
    async find(issuer, kid) {
      const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
      const isExpected = (document: IssuerMetadata) => document.issuer === issuer && !keySets.hasFailed(document.jwks_uri)
      const found = await read('metadata', () => metadata.get(url, { isExpected }))
      // Otherwise, one host could sign for another (OpenID Connect Discovery 1.0 §4.3).
      if (found.issuer !== issuer) throw new IssuerError('The metadata is that of another issuer.')
      return read('key set', () => keySets.get(found.jwks_uri, { isSufficient: ({ kids }) => kid === undefined || kids.has(kid) }))
    },
  }
}

const metadataMembers = z.object({ issuer: z.string(), jwks_uri: z.string() })
type IssuerMetadata = z.output<typeof metadataMembers>

/** Reads the metadata of an issuer. Throws an `OutgoingError`. */
export function parseMetadata(json: unknown): IssuerMetadata {
  const { data } = metadataMembers.safeParse(json)
  if (!data) throw new OutgoingError('It has no issuer or no jwks_uri.')
  return data
}

/** Reads a JSON Web Key Set. Throws an `OutgoingError`. */
export function parseKeySet(json: unknown): KeySet {
  const keys = usableKeys(json)
  if (keys.length === 0) throw new OutgoingError('It has no usable key.')
  return { kids: new Set(keys.flatMap(({ kid }) => kid ?? [])), keyOf: createLocalJWKSet({ keys }) }
}

async function read<Document>(name: string, get: () => Promise<Document>): Promise<Document> {
  try {
    return await get()
  } catch (error) {
    if (error instanceof OutgoingError)
      throw new IssuerError(`The ${name} of the issuer cannot be read. ${error.message}`, { cause: error })
    throw error
  }
}
