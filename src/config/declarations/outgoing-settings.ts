import { isIP } from 'node:net'
import { z } from 'zod'
import { metadata } from './setting-types.ts'

const items = z.string().transform((text) => text.split(',').flatMap((item) => item.trim().toLowerCase() || []))

/** Returns true for a host in the form of a URL, without a port. */
const isHost = (text: string) => {
  const url = URL.parse(`http://${isIP(text) === 6 ? `[${text}]` : text}`)
  return url !== null && url.host === url.hostname && url.pathname === '/' && [text, `[${text}]`].includes(url.hostname)
}

/** Returns true for an IP address with an optional port. With a port, an IPv6 address is in brackets. */
const isNameServer = (text: string) => isIP(text.replace(/^\[(.*)\](?::\d{1,5})?$/, '$1').replace(/^([\d.]+):\d{1,5}$/, '$1')) !== 0

/** Settings for requests to user-supplied URLs (docs/decisions/outgoing-requests.md). */
export const outgoingSettings = {
  outgoingAllowedHosts: items
    .refine((hosts) => hosts.every(isHost), 'names or IP addresses of hosts, separated by commas, without ports')
    .prefault('')
    .register(metadata, {
      variable: 'OUTGOING_ALLOWED_HOSTS',
      description:
        'Hosts that are not public and that the service may call, such as those of back-channel logout in a private network: names or IP addresses, separated by commas. Also by http.',
    }),
  dnsServers: items
    .refine((servers) => servers.every(isNameServer), 'IP addresses, with or without a port, separated by commas')
    .prefault('')
    .register(metadata, {
      variable: 'DNS_SERVERS',
      description: 'Name servers for hosts that others name: IP addresses, separated by commas. Default: those of the system.',
    }),
}
