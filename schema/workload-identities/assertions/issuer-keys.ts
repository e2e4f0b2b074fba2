import { z } from 'zod'
import type { Ports } from '../../core/ports.ts'
import { OutgoingError } from '../../core/outgoing/outgoing.ts'
import { createIssuerDocuments, buildMetadataUrl } from '../../oauth/issuers.ts'
import type { KeySet } from '../../oauth/issuers.ts'

// These keys only prove who signed a token: the identity and its conditions are read from the database with each request.

/** The keys of an issuer cannot be read. The message contains the reason, in words for users. */
export class IssuerError extends Error {}

export interface IssuerKeys {
  /** Returns the keys of an issuer, including that with this identifier if the issuer has it. Throws an `IssuerError`. */
  find(issuer: string, kid: string | undefined): Promise<KeySet>
}

/** Creates the reader of issuers' metadata and keys. */
export function createIssuerKeys(ports: { outgoing: Pick<Ports['outgoing'], 'send'> } & Pick<Ports, 'now'>): IssuerKeys {
  const { readMetadata, readKeys } = createIssuerDocuments(ports, {
    parseMetadata: parseIssuerMetadata,
    createError: (name, cause) => new IssuerError(`The ${name} of the issuer cannot be read. ${cause.message}`, { cause }),
  })
  return {
    async find(issuer, kid) {
      const metadata = await readMetadata(buildMetadataUrl(issuer), (document) => document.issuer === issuer)
      // Without this check, one host could sign for another (OpenID Connect Discovery 1.0 §4.3).
      if (metadata.issuer !== issuer) throw new IssuerError('The metadata is that of another issuer.')
      return readKeys(metadata.jwks_uri, kid)
    },
  }
}

const metadataMembers = z.object({ issuer: z.string(), jwks_uri: z.string() })

/** Reads the metadata of an issuer. Throws an `OutgoingError`. */
export function parseIssuerMetadata(json: unknown): z.output<typeof metadataMembers> {
  const { data } = metadataMembers.safeParse(json)
  if (!data) throw new OutgoingError('It has no issuer or no jwks_uri.')
  return data
}
