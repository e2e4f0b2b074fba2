import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '../../schema/core/outgoing/public-address.ts'
import { OutgoingError } from '../../schema/core/outgoing/outgoing.ts'
import type { Outgoing } from '../../schema/core/outgoing/outgoing.ts'
import { getErrorCode } from '../config/error-message.ts'
import type { AllowedHosts } from '../../schema/core/outgoing/url-rules.ts'

/** The error for a request that was not sent, because its host has no public address. */
export class RefusedHostError extends Error {}

interface LookupOptions {
  allowedHosts: AllowedHosts
  /** Addresses of name servers, with ports; empty for those of the system. */
  dnsServers: readonly string[]
}

/** Creates a resolver that queries the name servers of the settings, or those of the system. */
function createResolver(dnsServers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  return resolver
}

/** Creates the query for TXT records, which joins the parts of a value. */
export function createTxtLookup(dnsServers: readonly string[]): Outgoing['txtRecords'] {
  let resolver: Resolver | undefined
  return async (name) => {
    resolver ??= createResolver(dnsServers)
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const code = getErrorCode(error)
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      throw new OutgoingError(code === 'ESERVFAIL' ? 'its name servers have a fault.' : 'its name servers do not answer.', { cause: error })
    }
  }
}

/**
 * Creates the lookup for connections to user-supplied hosts. It returns only public addresses, and the connection is made to one of them,
 * so that a name cannot have another address a moment later. It queries the name servers itself. The system's lookup has four threads,
 * which files and password hashes also need, and a few slow name servers would occupy all of them. The system looks up allowed hosts,
 * because it reads /etc/hosts and search domains.
 */
export function createLookup({ allowedHosts, dnsServers }: LookupOptions): LookupFunction {
  const resolver = createResolver(dnsServers)

  async function publicAddresses(host: string): Promise<LookupAddress[]> {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const allAddresses = [...listAddresses(four, 4), ...listAddresses(six, 6)]
    if (allAddresses.length === 0 && four.status === 'rejected') throw four.reason
    const addresses = allAddresses.filter(({ address }) => isPublicAddress(address))
    if (addresses.length === 0) throw new RefusedHostError(`${host} has no public address`)
    return addresses
  }

  return (host, options, callback) => {
    const name = host.replace(/\.$/, '')
    if (allowedHosts.has(name)) return systemLookup(name, options, callback)
    void (async () => {
      try {
        const addresses = await publicAddresses(name)
        if (options.all) callback(null, addresses)
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      } catch (error) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the resolver and this module throw errors only
        callback(error as Error, [])
      }
    })()
  }
}

const listAddresses = (result: PromiseSettledResult<string[]>, family: 4 | 6) =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
