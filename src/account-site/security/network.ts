import { BlockList, isIP } from 'node:net'
import { hiddenAddress } from '../../../schema/security/sessions/user-agent.ts'
import { clientNetwork } from '../../auth/client-network.ts'

// Networks that are not reachable from the Internet (RFC 1918, RFC 4193, RFC 3927, RFC 4291): their addresses are not unique outside.
const own = new BlockList()
own.addSubnet('127.0.0.0', 8)
own.addAddress('::1', 'ipv6')
const local = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  local.addSubnet(net, bits)
for (const [net, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  local.addSubnet(net, bits, 'ipv6')

/**
 * Describes the location of a browser: its address, the kind of its network, and if `currentAddress` is in the same network. Staff in a
 * support session see no address.
 */
export function describeNetwork(address: string, currentAddress?: string): string {
  if (address === hiddenAddress) return 'IP address hidden'
  const version = isIP(address)
  if (version === 0) return 'Unknown network'
  const family = version === 6 ? 'ipv6' : 'ipv4'
  const kind = own.check(address, family) ? ', a local connection' : local.check(address, family) ? ', in a local network' : ''
  const isSame = currentAddress !== undefined && clientNetwork(currentAddress) === clientNetwork(address)
  return `IP address ${address}${isSame ? ', in the same network as this browser' : kind}`
}
