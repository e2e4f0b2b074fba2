import { Secret, TOTP } from 'otpauth'

/** Returns the code of an authenticator app for a base32 secret at a given time. */
export const totpCode = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })
