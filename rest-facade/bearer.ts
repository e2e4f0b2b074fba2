/** The credential of an `Authorization: Bearer` header field (RFC 6750 §2.1), or null; other places are not read. */
export function bearerToken(authorization: string | undefined): string | null {
  const match = authorization === undefined ? null : bearerPattern.exec(authorization)
  return match?.[1] ?? null
}
const bearerPattern = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Whether the header field means to carry a bearer credential, well-formed or not. */
export const isBearer = (authorization: string | undefined): boolean => /^Bearer(?: |$)/i.test(authorization ?? '')
