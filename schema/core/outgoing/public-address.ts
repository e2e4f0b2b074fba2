import { BlockList, isIP } from 'node:net'

// The ranges are IANA's special-purpose addresses (RFC 6890) and the addresses at which clouds return credentials.

/** Ranges of IPv4 that are not public. */
const reserved4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's agent
  ['169.254.0.0', 16], // Link-local addresses, including the metadata service of most clouds, 169.254.169.254.
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // Multicast, reserved and broadcast addresses.
]

/** The only range of global unicast in IPv6 so far (RFC 3587). Mapped, compatible, translated and local addresses are outside. */
const global6 = ['2000::', 3] as const

/** Ranges within it that are not public: protocol assignments with Teredo, documentation, 6to4, segment routing. */
const reserved6: readonly [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const refused = new BlockList()
for (const [network, bits] of reserved4) refused.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of reserved6) refused.addSubnet(network, bits, 'ipv6')
const global = new BlockList()
global.addSubnet(...global6, 'ipv6')

/** Returns true if an IP address, without brackets, is a public unicast address. Returns false for any other string. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !refused.check(address, 'ipv4')
  return version === 6 && !address.includes('%') && global.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}
