import { hash } from 'node:crypto'

/** SHA-256 of a value. High-entropy secrets such as token values are stored only in this form. */
export const sha256 = (value: string | Uint8Array): Buffer<ArrayBuffer> => hash('sha256', value, 'buffer')
