import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

export interface DnsServer extends AsyncDisposable {
  /** `127.0.0.1:port`, as in DNS_SERVERS. */
  address: string
  /** The names of the A and AAAA queries, in the order in which they came. */
  queries: string[]
}

/** Returns the values of the records of a name at that moment; null for the failure of the server. */
type Answer = (name: string, type: keyof typeof types) => readonly string[] | null

const types = { A: 1, TXT: 16 } as const

/**
 * Starts a name server that answers each query for A and TXT records with the values that `answer` returns at that moment, and others
 * with none (RFC 1035 §4). `ownPort` is the port, by default a free one.
 */
export async function startDnsServer(answer: Answer, ownPort = 0): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const typeName = type === types.A ? 'A' : type === types.TXT ? 'TXT' : null
    queries.push(`${typeName ?? 'AAAA'} ${name}`)
    const values = typeName === null ? [] : answer(name, typeName)
    const data = values?.flatMap((value) => (typeName === 'TXT' ? [textData(value)] : isIPv4(value) ? [addressData(value)] : [])) ?? []
    const header = Buffer.from(query.subarray(0, 12))
    // Without values, SERVFAIL.
    header.writeUInt16BE(values === null ? 0x8182 : 0x8180, 2)
    header.writeUInt16BE(data.length, 6)
    header.fill(0, 8)
    // Each answer: a pointer to the name of the question, its type, class IN, a lifetime of 0 seconds, length and data.
    const answers = data.flatMap((each) => [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, each.length >> 8, each.length & 255]), each])
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address)
  })
  socket.bind(ownPort, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  return {
    address: `127.0.0.1:${port}`,
    queries,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const addressData = (value: string) => Buffer.from(value.split('.').map(Number))

/** Strings of at most 255 bytes, each after its length: a longer value has several. */
const textData = (value: string) =>
  Buffer.concat((value.match(/.{1,255}/gs) ?? ['']).map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')])))

/** Reads the question of a query: length and text of each label, an empty one, then type and class. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
