import { z } from 'zod'
import type { Ports } from '../core/ports.ts'

/** The statements of a provider about a person who signed in there, as they are verified and stored until the sign-in is finished. */
export const providerAssertion = z.object({
  /** The identifier of the person at the provider, of 1 to 255 characters. */
  subject: z.string(),
  /** Issuer of the subject, for a public provider with many issuers; otherwise empty. Absent in responses that an older version stored. */
  issuer: z.string().default(''),
  /** The address in the form of `normalizeEmail`; null if absent or not an address. */
  email: z.string().nullable(),
  /** True if the provider says that it verified the address. Used only for public providers. */
  isEmailVerified: z.boolean(),
  name: z.string().nullable(),
  /** The groups of the person. Null if no claim is configured, or the claim is absent. */
  groups: z.array(z.string()).readonly().nullable(),
  /** All claims or attributes, for the page of a test sign-in. */
  claims: z.record(z.string(), z.unknown()).readonly(),
})
export type ProviderAssertion = z.output<typeof providerAssertion>

/**
 * What failed at a sign-in, which decides what the person can do: `response`: the response of the provider cannot be accepted. `provider`:
 * the provider cannot be used by anyone. `request`: the response belongs to no open request of this browser. `person`: the message says it.
 */
export type FailureKind = 'response' | 'provider' | 'request' | 'person'

/** A sign-in at a provider fails. The message has the claim or the parameter and the reason, for the administrator of the provider. */
export class ProviderError extends Error {
  readonly kind: FailureKind = 'response'
}

/** The response belongs to no open request of this browser. */
export class ClosedRequestError extends ProviderError {
  override readonly kind = 'request'
}

/** This person cannot sign in, link or confirm. The message is for the person. */
export class RefusedPersonError extends ProviderError {
  override readonly kind = 'person'
}

/**
 * No user can use the provider: it cannot be reached, its metadata or keys are not valid, or it refuses this service. Requests of browsers
 * never cause this error. The reason is logged, so it contains no text of the token endpoint, which receives the client secret.
 */
export class UnusableProviderError extends ProviderError {
  override readonly kind = 'provider'
  readonly reason: string

  constructor(message: string, { reason = message, cause }: { reason?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.reason = reason
  }
}

/** The part of a request that a protocol needs. */
export interface ProtocolRequest {
  /** Random identifier: the `state` of OAuth and the ID of SAML. */
  id: string
  createdAt: Date
  /** True if the person must authenticate at the provider although signed in there. */
  forceAuthentication: boolean
  loginHint: string | null
  /** Data that the provider sent before the browser returned, in the form that the protocol stored; null if it sent none. */
  storedResponse: unknown
}

/** The functions of the service that a protocol needs. */
export type ProtocolPorts = Pick<Ports, 'outgoing' | 'now' | 'deriveSecret' | 'authUrl'>

/** One protocol: OpenID Connect, SAML, or OAuth of a public provider. */
export interface Protocol<Provider> {
  /** Returns the URL to which the browser is sent. Throws a `ProviderError`. */
  requestUrl(ports: ProtocolPorts, provider: Provider, request: ProtocolRequest): Promise<string>
  /** Verifies the response, whose values are the parameters of the redirect URI. Throws a `ProviderError`. */
  verify(ports: ProtocolPorts, provider: Provider, request: ProtocolRequest, response: URLSearchParams): Promise<ProviderAssertion>
}
