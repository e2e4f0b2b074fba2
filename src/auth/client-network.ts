import { isIPv6 } from 'node:net'

/**
 * Returns the network under which attempt limits count a client address. For IPv6 this is the /64 network, because a single subscriber has
 * 2^64 addresses; an IPv4-mapped address counts as its IPv4 address. Some proxies forward the address with a port, which is ignored because
 * it differs for every connection.
 */
export function clientNetwork(address = ''): string {
  const [plain = ''] = address.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2').split('%')
  if (!isIPv6(plain)) return plain
  // URL parsing normalizes the address to the form of RFC 5952, including a dotted IPv4 part.
  const canonicalAddress = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:(\w+):(\w+)$/.exec(canonicalAddress)
  if (mapped) return mapped.slice(1).flatMap(toBytes).join('.')
  const [head = '', tail] = canonicalAddress.split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0)
  return [...(first ?? []), ...Array<string>(zeros).fill('0'), ...(last ?? [])].slice(0, 4).join(':')
}

/** Number of /64 quotas that a /48 has: a provider assigns it to one site or spreads many customers over it. */
export const siteFactor = 16

/** Returns the /48 of an IPv6 network of `clientNetwork`, or null. Attempt limits count it as one: its holder has 65,536 networks. */
export const findSite = (network: string): string | null =>
  /^[\da-f]+(?::[\da-f]+){3}$/.test(network) ? `${network.split(':').slice(0, 3).join(':')}::/48` : null

const toBytes = (group: string) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]
