/** Value of the Authorization header field for HTTP Basic client authentication (RFC 6749 §2.3.1). */
export const basicAuthorization = (clientId: string, secret: string | null): string =>
  `Basic ${Buffer.from(`${clientId}:${secret ?? ''}`).toString('base64')}`
