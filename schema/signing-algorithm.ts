/** The JWS algorithms that ID tokens are signed with: each has keys of its own. */
export const SigningAlgorithm = { ES256: 'ES256', RS256: 'RS256' } as const
export type SigningAlgorithm = keyof typeof SigningAlgorithm
export const signingAlgorithms = Object.values(SigningAlgorithm)

/** The one of a client that is registered without one. */
export const usualSigningAlgorithm: SigningAlgorithm = 'ES256'
