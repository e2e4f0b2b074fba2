import { crc32 } from 'node:zlib'

/** A file in a ZIP file. */
export interface ZipEntry {
  name: string
  body: Buffer
  modified: Date
}

const utf8Names = 0x08_00
/** The version of the format that stored entries need, and the version of a Unix system, so that unzip programs read the file modes. */
const [needed, madeBy] = [10, 0x03_1e]
const fileMode = 0o100_644
const maxSize = 0xff_ff_ff_ff
const maxEntries = 0xff_ff

/**
 * Writes a ZIP file (APPNOTE 6.3, without extensions for files over 4 GB) as its entries become available, so that only one entry is in
 * memory. Entries are stored without compression, because PDF files are compressed already.
 */
export async function* zipFile(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let size = 0
  for await (const { name, body, modified } of entries) {
    const bytes = Buffer.from(name)
    const common = commonFields(bytes, body, modified)
    const header = Buffer.concat([uint32(0x04_03_4b_50), common, uint16(0), bytes])
    directory.push(
      Buffer.concat([
        uint32(0x02_01_4b_50),
        uint16(madeBy),
        common,
        ...[0, 0, 0, 0].map(uint16),
        uint32(fileMode * 0x1_00_00),
        uint32(size),
        bytes,
      ]),
    )
    size += header.length + body.length
    if (size > maxSize || directory.length > maxEntries) throw new Error('a ZIP file of this size needs extensions')
    yield header
    yield body
  }
  const index = Buffer.concat(directory)
  const count = uint16(directory.length)
  yield index
  yield Buffer.concat([uint32(0x06_05_4b_50), uint16(0), uint16(0), count, count, uint32(index.length), uint32(size), uint16(0)])
}

/** Returns the fields that the local header and the directory record of an entry have in common. */
function commonFields(name: Buffer, body: Buffer, modified: Date): Buffer {
  const { date, time } = dosTime(modified)
  return Buffer.concat([
    ...[needed, utf8Names, 0, time, date].map(uint16),
    ...[crc32(body), body.length, body.length].map(uint32),
    uint16(name.length),
  ])
}

/** Returns the time in UTC in the format of MS-DOS, which begins in 1980. */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.min(Math.max(at.getUTCFullYear() - 1980, 0), 127)
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

const uint16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
