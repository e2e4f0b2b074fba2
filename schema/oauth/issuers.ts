import { compactVerify, createLocalJWKSet } from 'jose'
import type { Ports } from '../core/ports.ts'
import { createDocumentCache } from '../core/outgoing/document-cache.ts'
import { OutgoingError } from '../core/outgoing/outgoing.ts'
import { requireRequestUrl } from '../core/outgoing/url-rules.ts'
import { refused } from '../core/validation.ts'
import { assertionAlgorithms, parsePublicKeys } from './public-keys.ts'

// This file reads the metadata and keys of issuers that sign JWTs for this service: OpenID providers and the issuers of workload
// identities. Each process caches them for some time.

/** Seconds by which the clock of an identity provider or of the issuer of a workload identity may differ. */
export const clockToleranceSeconds = 60

const metadataPath = '/.well-known/openid-configuration'

/** Returns the URL of an issuer's metadata (OpenID Connect Discovery 1.0 §4). */
export const buildMetadataUrl = (issuer: string): string => issuer.replace(/\/$/, '') + metadataPath

/**
 * Parses the URL of an issuer that a person entered, or that of its metadata, which providers show. Throws `validation_failed` for `issuer`
 * if requests may not be sent to it.
 */
export function readIssuerUrl({ outgoing }: Pick<Ports, 'outgoing'>, entered: string): string {
  const issuer = entered.endsWith(metadataPath) ? entered.slice(0, -metadataPath.length) : entered
  requireRequestUrl(outgoing, 'issuer', issuer, { isIssuer: true })
  return issuer
}

/** Returns the error for metadata of another issuer: one host could otherwise sign for another (OpenID Connect Discovery 1.0 §4.3). */
export const refuseOtherIssuer = (url: string, issuer: string) =>
  refused({ issuer: [`The metadata at ${url} is that of another issuer: ${issuer.slice(0, 255)}.`] })

/** The metadata of an issuer that the verification of signatures needs (OpenID Connect Discovery 1.0 §3). */
interface IssuerMetadata {
  issuer: string
  jwks_uri: string
}

/** The public keys of an issuer. */
export interface KeySet {
  /** Identifiers of the keys. */
  kids: ReadonlySet<string>
  /** Finds the key of a signature. */
  findKey: ReturnType<typeof createLocalJWKSet>
}

export interface IssuerDocuments<Metadata> {
  /**
   * Returns the metadata at a URL, which can be that of another issuer. In this case, or if its key set could not be read, it is read again
   * soon: an administrator corrects it then.
   */
  readMetadata(url: string, isOfIssuer: (metadata: Metadata) => boolean): Promise<Metadata>
  /** Returns the key set at a URL, with the key of this identifier if the issuer has it. */
  readKeys(url: string, kid: string | undefined): Promise<KeySet>
}

interface IssuerReading<Metadata> {
  /** Parses the metadata. Throws an `OutgoingError` if it is not valid. */
  parseMetadata(json: unknown): Metadata
  /** Creates the error of a document that cannot be read. */
  createError(document: 'metadata' | 'key set', cause: OutgoingError): Error
}

/** Creates a cache of the documents of issuers. */
export function createIssuerDocuments<Metadata extends IssuerMetadata>(
  ports: { outgoing: Pick<Ports['outgoing'], 'send'> } & Pick<Ports, 'now'>,
  { parseMetadata, createError }: IssuerReading<Metadata>,
): IssuerDocuments<Metadata> {
  const metadata = createDocumentCache(ports, parseMetadata)
  const keySets = createDocumentCache(ports, parseKeySet)
  const failAs = (name: 'metadata' | 'key set') => (error: unknown) => {
    throw error instanceof OutgoingError ? createError(name, error) : error
  }
  return {
    readMetadata: (url, isOfIssuer) =>
      metadata
        .get(url, { isExpected: (document) => isOfIssuer(document) && !keySets.hasFailed(document.jwks_uri) })
        .catch(failAs('metadata')),
    readKeys: (url, kid) => keySets.get(url, { isSufficient: ({ kids }) => kid === undefined || kids.has(kid) }).catch(failAs('key set')),
  }
}

/** Reads a JSON Web Key Set. Throws an `OutgoingError`. */
function parseKeySet(json: unknown): KeySet {
  const keys = parsePublicKeys(json)
  if (keys.length === 0) throw new OutgoingError('It has no usable key.')
  return { kids: new Set(keys.flatMap(({ kid }) => kid ?? [])), findKey: createLocalJWKSet({ keys }) }
}

/** Verifies the signature of a JWT with a key of its issuer: `jwk`, `jku` and `x5u` in the header are not read. Throws an error of jose. */
export async function verifySignature(jwt: string, { findKey }: KeySet): Promise<void> {
  await compactVerify(jwt, findKey, { algorithms: [...assertionAlgorithms] })
}

/** Header parameters that change how a JWT must be read (RFC 7515 §4.1.11, RFC 7797 §3). None of them is supported. */
const extensions = ['crit', 'b64'] as const

/**
 * Returns the header parameter because of which a signed JWT is refused, or null. Its value does not matter: libraries accept different
 * values, and after `b64: false` one could verify other bytes than another one reads.
 */
export const findRefusedParameter = (header: object): string | null => extensions.find((name) => Object.hasOwn(header, name)) ?? null
