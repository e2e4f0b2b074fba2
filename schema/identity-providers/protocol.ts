import { z } from 'zod'
import type { Ports } from '../core/ports.ts'

/** What a provider states about a person who signed in there, also as it is stored until the sign-in is finished. */
export const providerAssertion = z.object({
  /** The identifier of the person at the provider, of 1 to 255 characters. */
  subject: z.string(),
  /** The issuer that states the subject, of a public provider that has many; otherwise empty. Absent in answers that an older version stored. */
  issuer: z.string().default(''),
  /** In the form of `normalizeEmail`; null if absent or not an address. */
  email: z.string().nullable(),
  /** Whether the provider says that it verified the address. Only public providers are asked. */
  isEmailVerified: z.boolean(),
  name: z.string().nullable(),
  /** Null if the provider states none: no claim is configured, or the claim is absent. */
  groups: z.array(z.string()).readonly().nullable(),
  /** Everything that was stated, for the page of a test sign-in. */
  claims: z.record(z.string(), z.unknown()).readonly(),
})
export type ProviderAssertion = z.output<typeof providerAssertion>

/** A provider's answer cannot be accepted, or the provider cannot be reached. The message names the claim and says why, for people. */
export class ProviderError extends Error {}

/**
 * The provider cannot be used by any person: it cannot be reached, its metadata or keys are not valid, or it refuses this service. What a browser
 * sends never causes this error. The reason is logged, so it contains no text of the token endpoint, which receives the client secret.
 */
export class UnusableProviderError extends ProviderError {
  readonly reason: string

  constructor(message: string, { reason = message, cause }: { reason?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.reason = reason
  }
}

/** The part of a request that a protocol needs. */
export interface ProtocolRequest {
  /** Random; the `state` of OAuth and the ID of SAML. */
  id: string
  createdAt: Date
  /** Whether the person must authenticate at the provider although signed in there. */
  forceAuthentication: boolean
  loginHint: string | null
  /** What the provider sent before the browser returned, as the protocol stored it; null if nothing. */
  answer: unknown
}

/** What a protocol needs of the service. */
export type ProtocolPorts = Pick<Ports, 'outgoing' | 'now' | 'deriveSecret' | 'authUrl'>

/** One protocol: OpenID Connect, SAML, or OAuth of a public provider. */
export interface Protocol<Provider> {
  /** Returns where the browser is sent. Throws a `ProviderError`. */
  requestUrl(ports: ProtocolPorts, provider: Provider, request: ProtocolRequest): Promise<string>
  /** Verifies the answer, which are the parameters of the redirect URI. Throws a `ProviderError`. */
  verify(ports: ProtocolPorts, provider: Provider, request: ProtocolRequest, answer: URLSearchParams): Promise<ProviderAssertion>
}
