import { isUtf8 } from 'node:buffer'

/** A line of the file: its text, or the problem that prevents reading it. */
export interface Line {
  /** Number of the line, from 1. */
  number: number
  text: string
  problem?: string
}

/** Without a limit, a file without line breaks would be read into memory completely. */
const maxLineBytes = 1024 * 1024
const lineFeed = 0x0a
const byteOrderMark = '\u{feff}'

/** Reads the lines of a byte stream and omits blank lines. Calls `onBytes` with the size of each chunk. */
export async function* readLines(source: AsyncIterable<Uint8Array>, onBytes: (count: number) => void): AsyncGenerator<Line> {
  let number = 0
  let parts: Uint8Array[] = []
  let length = 0
  const append = (part: Uint8Array) => {
    length += part.length
    // The content of a line that is too long is not needed.
    if (length <= maxLineBytes) parts.push(part)
  }
  const endLine = (): Line => {
    const line = toLine(++number, parts, length)
    parts = []
    length = 0
    return line
  }
  for await (const bytes of source) {
    onBytes(bytes.length)
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      append(bytes.subarray(start, end))
      const line = endLine()
      if (line.problem !== undefined || line.text.trim() !== '') yield line
      start = end + 1
    }
    append(bytes.subarray(start))
  }
  const last = endLine()
  if (last.problem !== undefined || last.text.trim() !== '') yield last
}

function toLine(number: number, parts: Uint8Array[], length: number): Line {
  if (length > maxLineBytes) return { number, text: '', problem: 'the line is longer than 1 MiB' }
  const bytes = Buffer.concat(parts)
  if (!isUtf8(bytes)) return { number, text: '', problem: 'the line is not UTF-8' }
  const text = bytes.toString()
  return { number, text: number === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text }
}
