import { crc32 } from 'node:zlib'

export interface ZippedFile {
  name: string
  content: Buffer
  /** The day of the last change. */
  day: string
}

/** Reads the files of a ZIP file by its directory, as other programs do, and checks that the headers of the files agree with it. */
export function readZip(bytes: Buffer): ZippedFile[] {
  const end = bytes.length - 22
  if (bytes.readUInt32LE(end) !== 0x06054b50) throw new Error('no end of a directory')
  const [count, size, start] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)]
  if (start + size !== end) throw new Error('the directory has another size')
  const files: ZippedFile[] = []
  let at = start
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('no entry of a directory')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.subarray(at + 46, at + 46 + nameLength)
    const header = bytes.readUInt32LE(at + 42)
    // Version, flags, method, time, checksum, sizes and the length of the name.
    if (!bytes.subarray(at + 6, at + 30).equals(bytes.subarray(header + 4, header + 28))) throw new Error('headers differ')
    if (!bytes.subarray(header + 30, header + 30 + nameLength).equals(name)) throw new Error('names differ')
    const content = bytes.subarray(header + 30 + nameLength, header + 30 + nameLength + bytes.readUInt32LE(at + 20))
    if (crc32(content) !== bytes.readUInt32LE(at + 16)) throw new Error('wrong checksum')
    files.push({ name: name.toString(), content, day: dayOf(bytes.readUInt16LE(at + 14)) })
    at += 46 + nameLength
  }
  if (at !== end) throw new Error('the directory has more entries')
  return files
}

const dayOf = (date: number) => [(date >> 9) + 1980, (date >> 5) & 15, date & 31].map((part) => String(part).padStart(2, '0')).join('-')
