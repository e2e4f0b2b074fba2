import type { ComponentChildren } from 'preact'
import type { IssuerField } from '../provider-fields.tsx'

export type Protocol = 'oidc' | 'saml'

/** Instructions to register an application at one identity provider by one protocol. */
export interface Guide {
  /** Steps at the provider, and the values to copy from there into the form below. */
  steps: readonly ComponentChildren[]
  /** Instructions to send the groups of a user. */
  groups?: ComponentChildren
}

/** An identity provider that administrators recognize by its name. */
export interface DescribedProvider {
  /** Its name in a sentence, such as `Register this service at Okta.` */
  label: string
  oidc: Guide
  saml: Guide
  /** Issuer of the provider, if it is the same for every organization. */
  issuer?: string
  issuerField?: IssuerField
  /** Returns the issuer for the entered value, if the provider shows another value. */
  getIssuer?(entered: string): string
}
