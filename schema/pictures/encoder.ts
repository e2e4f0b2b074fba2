import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { damaged, RefusedPicture } from './encode-picture.ts'
import type { EncodedPicture, Fit } from './encode-picture.ts'
import type { EncoderResult } from './encoder-process.ts'
import { createTurns } from './turns.ts'

/** The build puts the program into the same folder as the bundle. */
const program = fileURLToPath(new URL(`./encoder-process${path.extname(import.meta.filename)}`, import.meta.url))
const timeoutMilliseconds = 20_000
const maxOutputBytes = 1024 * 1024

/** The process encodes one file at a time. Others, up to 5 MB each, wait. */
const turns = createTurns(1, 8)

/**
 * Encodes a file in a process that ends afterwards. All memory that decoding needs is then free again, and a file that crashes the decoder
 * has no other effect. Throws `RefusedPicture`, or `rate_limited` while too many files wait.
 */
export const encodeApart = (file: Uint8Array, fit: Fit): Promise<EncodedPicture> =>
  turns.take(async () => {
    const result = await runEncoder(file, fit)
    if ('refusal' in result) throw new RefusedPicture(result.refusal)
    return { large: Buffer.from(result.large, 'base64'), small: Buffer.from(result.small, 'base64') }
  })

function runEncoder(file: Uint8Array, fit: Fit): Promise<EncoderResult> {
  return new Promise((resolve, reject) => {
    // The program runs without the environment, which contains secrets.
    const options = { env: {}, timeout: timeoutMilliseconds, maxBuffer: maxOutputBytes }
    const { stdin } = execFile(process.execPath, [program, fit], options, (error, output) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the program
      if (error === null) resolve(JSON.parse(output) as EncoderResult)
      // The process took too long, or crashed.
      else if (error.signal) reject(new RefusedPicture(damaged, { cause: error }))
      else reject(error)
    })
    // The error is ignored, because a process that has ended does not read its input.
    stdin?.on('error', () => {}).end(file)
  })
}
