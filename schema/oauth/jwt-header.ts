/** Seconds by which the clock of another system may differ: of a client, an identity provider, or the issuer of a workload identity. */
export const clockToleranceSeconds = 60

/** Header parameters that change how a JWT must be read (RFC 7515 §4.1.11, RFC 7797 §3). None of them is supported. */
const extensions = ['crit', 'b64'] as const

/**
 * Returns the parameter in the header of a signed JWT because of which it is refused, or null. Its value does not matter: libraries differ in
 * which values they accept, and after `b64: false` one could verify other bytes than another one reads.
 */
export const findRefusedParameter = (header: object): string | null => extensions.find((name) => Object.hasOwn(header, name)) ?? null
