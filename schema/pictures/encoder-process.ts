import { buffer } from 'node:stream/consumers'
import { encodePicture, RefusedPicture } from './encode-picture.ts'
import type { Fit } from './encode-picture.ts'

// This program encodes one picture (encoder.ts): it reads the file from standard input and writes the result as JSON.

/** Both files in base64, or the reason why the file was refused. */
export type EncoderResult = { large: string; small: string } | { refusal: string }

const fit: Fit = process.argv[2] === 'contain' ? 'contain' : 'cover'
const result = await encodePicture(await buffer(process.stdin), fit).then(
  ({ large, small }): EncoderResult => ({ large: large.toString('base64'), small: small.toString('base64') }),
  (error: unknown): EncoderResult => {
    if (error instanceof RefusedPicture) return { refusal: error.message }
    throw error
  },
)
process.stdout.write(JSON.stringify(result))
