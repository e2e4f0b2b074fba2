/** The JWS algorithms of ID tokens. Each has its own keys. */
export const SigningAlgorithm = { ES256: 'ES256', RS256: 'RS256' } as const
export type SigningAlgorithm = keyof typeof SigningAlgorithm
export const signingAlgorithms = Object.values(SigningAlgorithm)

/** The algorithm of clients that are registered without one. */
export const defaultSigningAlgorithm: SigningAlgorithm = 'ES256'
