import { Secret, TOTP } from 'otpauth'

/** What an authenticator application with this secret, in base 32, shows at an instant. */
export const totpCode = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })
