import { startDnsServer } from '../http/dns-server.ts'
import type { DnsServer } from '../http/dns-server.ts'

/** The address of the name server that a test service asks: the port of the service itself, by UDP. Nothing listens there by default. */
export const nameServerOf = (url: string) => `127.0.0.1:${new URL(url).port}`

interface NameServer {
  server: Promise<DnsServer>
  records: Map<string, readonly string[] | null>
}
const servers = new Map<string, NameServer>()

/**
 * Publishes TXT records at the name server that a test service asks: from now on, `name` has these values. Null makes the server fail for
 * the name.
 */
export async function publishTxt({ url }: { url: string }, name: string, values: readonly string[] | null): Promise<void> {
  const existing = servers.get(url)
  const { records, server } = existing ?? start(url)
  records.set(name, values)
  await server
}

function start(url: string): NameServer {
  const records: NameServer['records'] = new Map()
  const answer = (name: string) => (records.has(name) ? (records.get(name) ?? null) : [])
  const started = { records, server: startDnsServer((name, type) => (type === 'TXT' ? answer(name) : []), Number(new URL(url).port)) }
  servers.set(url, started)
  return started
}
