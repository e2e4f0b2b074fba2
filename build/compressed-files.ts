import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { writeWhole } from './files.ts'

// The next level takes five times as long and saves 7 %.
const brotliLevel = 9

/**
 * Writes a file for browsers, and with the endings `.br` and `.gz` the same file compressed. Compressing such a file for each request would
 * take seconds of its time.
 */
export async function writeCompressed(file: string, text: string): Promise<void> {
  const content = Buffer.from(text)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliLevel,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const [brotli, gzipped] = await Promise.all([promisify(brotliCompress)(content, { params }), promisify(gzip)(content, { level: 9 })])
  writeWhole(`${file}.br`, brotli)
  writeWhole(`${file}.gz`, gzipped)
  writeWhole(file, content)
}
