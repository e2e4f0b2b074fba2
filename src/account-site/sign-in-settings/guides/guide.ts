import type { ComponentChildren } from 'preact'
import type { IssuerField } from '../provider-fields.tsx'

export type Protocol = 'oidc' | 'saml'

/** How an application is registered at one identity provider by one protocol. */
export interface Guide {
  /** Where it is done, and what is copied from there into the form below. */
  steps: readonly ComponentChildren[]
  /** How the groups of a user are sent. */
  groups?: ComponentChildren
}

/** An identity provider that administrators know by name. */
export interface KnownProvider {
  label: string
  /** In a few words, for the choice. */
  about: string
  oidc: Guide
  saml: Guide
  /** Its issuer, if that is the same for every organization. */
  issuer?: string
  issuerField?: IssuerField
  /** The issuer for what was entered, if the provider shows something else. */
  issuerOf?(entered: string): string
}
