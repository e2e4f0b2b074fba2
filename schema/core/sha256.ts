import { hash } from 'node:crypto'

/** Returns the SHA-256 of a value. High-entropy secrets such as token values are stored only in this form. */
export const sha256 = (value: string | Uint8Array): Buffer<ArrayBuffer> => hash('sha256', value, 'buffer')

/** Returns the secret with this SHA-256, in base64url; undefined if there is none. */
export const secretWithHash = (secrets: readonly Buffer[], stored: Uint8Array): string | undefined =>
  secrets.map((secret) => secret.toString('base64url')).find((secret) => sha256(secret).equals(stored))
