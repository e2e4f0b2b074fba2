import { isUtf8 } from 'node:buffer'

/** A line of the file: its text, or what keeps it from being one. */
export interface Line {
  /** From 1. */
  number: number
  text: string
  problem?: string
}

/** No record is longer; without a limit a file without line breaks would be read into memory whole. */
const longestLine = 1024 * 1024
const lineFeed = 0x0a
const byteOrderMark = '\u{feff}'

/** The lines of a stream of bytes, as it comes; blank ones are left out. `onBytes` is told how much has been read. */
export async function* readLines(source: AsyncIterable<Uint8Array>, onBytes: (count: number) => void): AsyncGenerator<Line> {
  let number = 0
  let kept: Uint8Array[] = []
  let keptLength = 0
  const keep = (piece: Uint8Array) => {
    keptLength += piece.length
    // Of a line that is too long only its length matters.
    if (keptLength <= longestLine) kept.push(piece)
  }
  const take = (): Line => {
    const line = lineOf(++number, kept, keptLength)
    kept = []
    keptLength = 0
    return line
  }
  for await (const bytes of source) {
    onBytes(bytes.length)
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      keep(bytes.subarray(start, end))
      const line = take()
      if (line.problem !== undefined || line.text.trim() !== '') yield line
      start = end + 1
    }
    keep(bytes.subarray(start))
  }
  const last = take()
  if (last.problem !== undefined || last.text.trim() !== '') yield last
}

function lineOf(number: number, pieces: Uint8Array[], length: number): Line {
  if (length > longestLine) return { number, text: '', problem: 'the line is longer than 1 MiB' }
  const bytes = Buffer.concat(pieces)
  if (!isUtf8(bytes)) return { number, text: '', problem: 'the line is not UTF-8' }
  const text = bytes.toString()
  return { number, text: number === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text }
}
