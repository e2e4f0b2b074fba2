import { z } from 'zod'
import { OutgoingError } from '../../../core/outgoing/outgoing.ts'
import type { Outgoing } from '../../../core/outgoing/outgoing.ts'
import { createIssuerDocuments } from '../../../oauth/issuers.ts'
import type { IssuerDocuments } from '../../../oauth/issuers.ts'
import { UnusableProviderError } from '../../protocol.ts'
import type { ProtocolPorts } from '../../protocol.ts'

const endpoint = z.url({ protocol: /^https?$/ })
/** The part of the metadata that a sign-in needs (OpenID Connect Discovery 1.0 §3). */
const metadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})
export type ProviderMetadata = z.output<typeof metadata>

const documents = new WeakMap<Outgoing, IssuerDocuments<ProviderMetadata>>()

/** Returns the metadata and keys of OpenID providers. Reading them throws an `UnusableProviderError`. */
export function getIssuerDocuments(ports: ProtocolPorts): IssuerDocuments<ProviderMetadata> {
  const created =
    documents.get(ports.outgoing) ??
    createIssuerDocuments(ports, {
      parseMetadata,
      createError: (name, cause) =>
        new UnusableProviderError(`The ${name} of the identity provider cannot be read. ${cause.message}`, { cause }),
    })
  documents.set(ports.outgoing, created)
  return created
}

/** Reads the metadata of a provider. Throws an `OutgoingError`. */
export function parseMetadata(json: unknown): ProviderMetadata {
  const { data, error } = metadata.safeParse(removeNullsInJson(json))
  if (!data) throw new OutgoingError(`The member ${String(error.issues[0]?.path[0] ?? 'issuer')} is missing or not valid.`)
  return data
}

// Some providers send null for an absent optional member, such as `"refresh_token": null`. The standards do not mention this case.
// openid-client refuses it, and a null claim would replace that of UserInfo.

/** Returns an object without the members that are null. */
export const removeNulls = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null))

/** Removes nulls from JSON. A value that is not an object remains unchanged. */
const removeNullsInJson = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? removeNulls(json) : json

/** Removes nulls from JSON as text. A text that is not JSON remains unchanged: its reader reports the error. */
export function removeNullsInText(text: string): string {
  try {
    return JSON.stringify(removeNullsInJson(JSON.parse(text)))
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
