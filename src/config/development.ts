import { BlockList, isIP } from 'node:net'
import { ConfigError } from './setting-text.ts'
import type { Config } from './settings.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Returns true if an IP address belongs only to this machine, even in IPv6's notation of IPv4 addresses (`::ffff:127.0.0.1`). */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Returns true if a host name always means this machine (RFC 6761 §6.3), as a value of HOST or in a URL. */
const isLoopbackHost = (host: string) => /^(?:.+\.)?localhost$/i.test(host) || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))

/** Throws if a service in production has an AUTH_URL without TLS, because passwords and cookies would cross the network unencrypted. */
export function refuseUnencryptedProduction({ nodeEnv, authUrl }: Pick<Config, 'nodeEnv' | 'authUrl'>): void {
  const { protocol, hostname } = new URL(authUrl)
  if (nodeEnv !== 'production' || protocol === 'https:' || isLoopbackHost(hostname)) return
  throw new ConfigError(`AUTH_URL ${authUrl} is not https: in production use an https address, behind a proxy that terminates TLS`)
}

/**
 * Throws if other machines could use a service that is not in production: by a public AUTH_URL, or by a HOST that accepts their
 * connections. They could read the mails of every account at `/dev/mail`.
 */
export function refuseExposedDevelopment({ nodeEnv, authUrl, host }: Pick<Config, 'nodeEnv' | 'authUrl' | 'host'>): void {
  if (nodeEnv === 'production') return
  const instead = 'set NODE_ENV=production and SECRET_KEY, or'
  if (!isLoopbackHost(new URL(authUrl).hostname)) {
    throw new ConfigError(`AUTH_URL ${authUrl} is public: ${instead} an AUTH_URL of this machine such as http://localhost:3000`)
  }
  if (!isLoopbackHost(host)) {
    throw new ConfigError(`HOST ${host} accepts connections of other machines: ${instead} a HOST of this machine such as 127.0.0.1`)
  }
}

/** The settings on which `hasDevelopmentHelp` depends. */
export type DevelopmentSettings = Pick<Config, 'nodeEnv' | 'authUrl' | 'trustProxy'>

/**
 * Returns true if the service creates demo data and shows stored mails. Behind a proxy it does neither, because all requests then come from
 * the proxy's address.
 */
export const hasDevelopmentHelp = ({ nodeEnv, authUrl, trustProxy }: DevelopmentSettings): boolean =>
  nodeEnv !== 'production' && !trustProxy && isLoopbackHost(new URL(authUrl).hostname)

/** Returns the private hosts that the service may call: those of the setting and, on a developer's machine, this machine. */
export const listOutgoingHosts = (config: DevelopmentSettings & Pick<Config, 'outgoingAllowedHosts'>): readonly string[] =>
  hasDevelopmentHelp(config) ? [...config.outgoingAllowedHosts, 'localhost', '127.0.0.1', '::1'] : config.outgoingAllowedHosts
