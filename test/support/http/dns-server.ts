import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

export interface DnsServer extends AsyncDisposable {
  /** `127.0.0.1:port`, as in DNS_SERVERS. */
  address: string
  /** The names of the A and AAAA queries, in the order in which they came. */
  queries: string[]
}

/**
 * Starts a name server that answers each query for an A record with the addresses that `answer` returns at that moment, and others
 * with none (RFC 1035 §4).
 */
export async function startDnsServer(answer: (name: string) => readonly string[]): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const isA = type === 1
    queries.push(`${isA ? 'A' : 'AAAA'} ${name}`)
    const addresses = isA ? answer(name).filter(isIPv4) : []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(addresses.length, 6)
    header.fill(0, 8)
    // Each answer: a pointer to the name of the question, type A, class IN, a lifetime of 0 seconds, four bytes.
    const answers = addresses.map((each) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...each.split('.').map(Number)]))
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
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
