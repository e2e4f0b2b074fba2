import type { ProviderPartsFragment } from '../generated/operations.ts'

type Provider = Pick<ProviderPartsFragment, 'testedAt' | 'disabledAt'>

/** The state of a provider in one or two words, for example if people can sign in through it. */
export const ProviderStateBadge = ({ testedAt, disabledAt }: Provider) =>
  disabledAt !== null ? (
    <span class="badge alert">Disabled</span>
  ) : testedAt === null ? (
    <span class="badge caution">Not tested</span>
  ) : (
    <span class="badge good">Tested</span>
  )

/** Returns the next step of an owner for a provider. */
export const nextStep = ({ testedAt, disabledAt }: Provider): string | null =>
  disabledAt !== null
    ? 'The operator of this service has disabled this identity provider. No one can sign in through it.'
    : testedAt === null
      ? 'Test the sign-in yourself before you announce it to the members.'
      : null

const kinds = { OIDC: 'OpenID Connect', SAML: 'SAML' } as const

/** Returns a text such as `OpenID Connect, login.example.com`. */
export const protocolAndHost = ({ kind, issuer }: Pick<ProviderPartsFragment, 'kind' | 'issuer'>): string =>
  `${kinds[kind]}, ${URL.parse(issuer)?.host || issuer}`
