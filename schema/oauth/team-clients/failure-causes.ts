import type { OAuthClient } from '../../../prisma/generated/client/client.ts'

type Sentence = (sent: string, client: OAuthClient) => string

const listed = (values: readonly string[]) => (values.length === 0 ? 'none is registered' : `registered is ${values.join(' or ')}`)
const listScopes = ({ requiredScopes, optionalScopes }: OAuthClient) => [...requiredScopes, ...optionalScopes]

/** Causes of refused requests, each with a description and a sentence for the developer that compares the request with the registration. */
const causes = {
  redirect_uri: {
    description: 'The redirect URI is not registered.',
    sentence: (sent, { redirectUris }) => `redirect_uri was ${sent || 'absent'}, ${listed(redirectUris)}`,
  },
  scope: {
    description: 'A scope is unknown or not registered.',
    sentence: (sent, client) => `scope was ${sent || 'absent'}, registered is ${listScopes(client).join(' ')}`,
  },
  response_type: {
    description: 'The response type is not `code`.',
    sentence: (sent) => `response_type was ${sent || 'absent'}, it must be code`,
  },
  pkce: {
    description: 'PKCE is absent or wrong.',
    sentence: (sent) =>
      `${sent || 'code_challenge was absent'}: each authorization request needs a code_challenge with the method S256, and the token request the code_verifier that belongs to it`,
  },
  grant_type: {
    description: 'The grant type is not registered.',
    sentence: (sent, { grantTypes }) => `grant_type was ${sent || 'absent'}, registered is ${grantTypes.join(' or ')}`,
  },
  client_authentication: {
    description: 'The client did not authenticate.',
    sentence: (sent, { confidential }) =>
      `client authentication failed${sent && `: ${sent}`}. ${
        confidential
          ? 'Send the secret by HTTP Basic, or an assertion that is signed with a registered key'
          : 'The app is public: send client_id in the form, and no secret'
      }`,
  },
  code: {
    description: 'The authorization code or device code was wrong, expired or used before.',
    sentence: () => 'the code was wrong, expired, used before, or issued to another app: exchange it once, within a minute',
  },
  refresh_token: {
    description: 'The refresh token was wrong, expired, replaced or revoked.',
    sentence: () => 'the refresh token was wrong, expired, revoked or replaced by a newer one: store the newest one',
  },
  not_a_member: {
    description: 'The client is not listed, and the user is not a member of its team.',
    sentence: () => 'someone outside the team tried to connect the app, which is not published yet',
  },
  par_required: {
    description: 'The authorization request was not pushed.',
    sentence: () => 'the authorization request was not pushed first (RFC 9126), as the app requires',
  },
  dpop: {
    description: 'The DPoP proof was absent or wrong.',
    sentence: (sent) => `the DPoP proof was ${sent || 'absent or wrong'} (RFC 9449)`,
  },
  other: {
    description: 'Any other cause.',
    sentence: (sent) => sent || 'the request was invalid',
  },
} satisfies Record<string, { description: string; sentence: Sentence }>

export type FailureCause = keyof typeof causes

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the object
const names = Object.keys(causes) as FailureCause[]
/** The causes with their descriptions. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each name
export const failureCauses = Object.fromEntries(names.map((name) => [name, causes[name].description])) as Record<FailureCause, string>

export const isFailureCause = (cause: string): cause is FailureCause => Object.hasOwn(causes, cause)

/** Returns a sentence about the error for the developer of the client. */
export const describeFailure = (cause: FailureCause, sent: string, client: OAuthClient): string => {
  const { sentence }: { sentence: Sentence } = causes[cause]
  return sentence(sent, client)
}
