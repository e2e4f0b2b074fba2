import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import type pg from 'pg'

// PostgreSQL's messages: a byte for the type, the length without this byte as a 32-bit integer, and the content
// (https://www.postgresql.org/docs/current/protocol-message-formats.html).
const headerLength = 5
const dataRow = 'D'.charCodeAt(0)

/** A row as PostgreSQL sent it: a part of the bytes that the socket received. */
export class RowMessage {
  readonly bytes: Buffer
  /** Where the content of the message starts and ends. */
  readonly start: number
  readonly end: number

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  /** The texts of the columns, for pg's own queries. */
  get fields(): (string | null)[] {
    const { bytes, start } = this
    const fields: (string | null)[] = []
    let position = start + 2
    for (let missing = bytes.readInt16BE(start); missing > 0; missing--) {
      const length = bytes.readInt32BE(position)
      position += 4
      fields.push(length < 0 ? null : bytes.toString('utf8', position, position + length))
      position += Math.max(length, 0)
    }
    return fields
  }
}

/** What pg's connections have, and its types do not declare. */
interface Receiver extends EventEmitter {
  /** Parses what a stream receives, and emits an event for each message. */
  attachListeners(stream: EventEmitter): void
}

/**
 * Makes a connection emit rows as bytes; to be called before it connects. pg decodes each column by a call of its own, which took a tenth of
 * the time of a large list. Hot statements decode a row by one call (`compileRow`). pg parses all other messages.
 */
export function receiveRowsAsBytes(connection: pg.Connection): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see Receiver
  const receiver = connection as unknown as Receiver
  const attachListeners = receiver.attachListeners.bind(receiver)
  receiver.attachListeners = (stream: Readable) => {
    const others = new EventEmitter()
    attachListeners(others)
    const receive = messageReader(
      (row) => receiver.emit('dataRow', row),
      (messages) => others.emit('data', messages),
    )
    stream.on('data', receive)
    stream.on('end', () => others.emit('end'))
  }
}

/** Returns a function that takes the bytes of a stream and calls `onRow` for each row and `onOthers` for the messages in between. */
function messageReader(onRow: (row: RowMessage) => void, onOthers: (messages: Buffer) => void): (chunk: Buffer) => void {
  /** The start of a message that is not complete, and the number of bytes that are needed to continue. */
  let chunks: Buffer[] = []
  let received = 0
  let needed = headerLength

  return (chunk) => {
    chunks.push(chunk)
    received += chunk.length
    if (received < needed) return
    const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    let othersStart = 0
    let offset = 0
    needed = headerLength
    while (bytes.length - offset >= headerLength) {
      const length = 1 + bytes.readUInt32BE(offset + 1)
      if (bytes.length - offset < length) {
        needed = length
        break
      }
      const start = offset
      offset += length
      if (bytes[start] !== dataRow) continue
      if (othersStart < start) onOthers(bytes.subarray(othersStart, start))
      othersStart = offset
      onRow(new RowMessage(bytes, start + headerLength, offset))
    }
    if (othersStart < offset) onOthers(bytes.subarray(othersStart, offset))
    chunks = offset < bytes.length ? [bytes.subarray(offset)] : []
    received = bytes.length - offset
  }
}
