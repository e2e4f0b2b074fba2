import type { SocialProvider } from '../../prisma/generated/client/enums.ts'

/** The client of this service at a public provider. */
export interface SocialClient {
  clientId: string
  clientSecret: string
  /** For tests: the origin of a service that replaces the provider. */
  origin?: string
}

/** The public providers that the operator has configured. */
export type SocialClients = Readonly<Partial<Record<SocialProvider, SocialClient>>>

/** The names of public providers on buttons, in their order. */
export const socialNames: Readonly<Record<SocialProvider, string>> = { google: 'Google', microsoft: 'Microsoft', github: 'GitHub' }
