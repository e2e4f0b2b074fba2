import { inflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const maxSide = 2048

/**
 * Returns true if bytes are a PNG image that can be shown. PDF files of invoices unpack its pixels, so a damaged or huge image is refused
 * at the start.
 */
export function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(signature)) return false
  const data: Buffer[] = []
  let sides = [0, 0]
  for (let start = 8; start + 12 <= bytes.length;) {
    const end = start + 12 + bytes.readUInt32BE(start)
    const type = bytes.toString('latin1', start + 4, start + 8)
    const content = bytes.subarray(start + 8, end - 4)
    if (end > bytes.length) return false
    if (type === 'IHDR' && content.length === 13) sides = [content.readUInt32BE(0), content.readUInt32BE(4)]
    if (type === 'IDAT') data.push(content)
    if (type === 'IEND') return sides.every((side) => side > 0 && side <= maxSide) && canInflate(Buffer.concat(data))
    start = end
  }
  return false
}

function canInflate(data: Buffer): boolean {
  try {
    // The limit is eight bytes a pixel, with a byte a line for its filter; interlacing adds lines.
    return inflateSync(data, { maxOutputLength: maxSide * (maxSide * 8 + 2) }).length > 0
  } catch {
    return false
  }
}
