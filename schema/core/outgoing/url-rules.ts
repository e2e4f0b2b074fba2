import { isIP } from 'node:net'
import { z } from 'zod'
import type { Outgoing } from './outgoing.ts'
import { isPublicAddress } from './public-address.ts'
import { refused, text } from '../validation.ts'

// This file has the rules for URLs in inputs: those to which this service sends requests, and those to which browsers are sent.

/** Hosts to which requests are sent although they are not public: names, and IP addresses in the form of URLs, without brackets. */
export type AllowedHosts = ReadonlySet<string>

/** Returns the host of a URL in the form of `AllowedHosts` and DNS: without the brackets of IPv6 and the dot at the end of a full name. */
export const getHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Names that are never public (RFC 6761, RFC 6762, RFC 8375, and `internal` by ICANN's decision of 2024). */
const localName = /(?:^|\.)(?:localhost|local|internal|test|invalid|example|onion|home\.arpa)$/

/**
 * Returns the rule that a user-supplied URL of a request breaks, to follow "must"; null if it breaks none
 * (docs/decisions/outgoing-requests.md). A name can still have private addresses: the module that sends requests checks the address to
 * which it connects.
 */
export function brokenUrlRule(text: string, allowedHosts: AllowedHosts): string | null {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'be an https URL'
  if (url.username !== '' || url.password !== '') return 'not have user information'
  if (url.hash !== '') return 'not have a fragment'
  const host = getHost(url)
  if (allowedHosts.has(host)) return null
  if (url.protocol !== 'https:') return 'be an https URL'
  if (url.port !== '' && Number(url.port) < 1024) return 'use port 443, or a port from 1024 on'
  if (isIP(host) === 0) return host.includes('.') && !localName.test(host) ? null : 'name a host on the public internet'
  return isPublicAddress(host) ? null : 'name a host on the public internet'
}

/**
 * Throws `validation_failed` for a field unless requests may be sent to its URL. An issuer has no query (OpenID Connect Discovery 1.0 §3),
 * since the path of its metadata follows it.
 */
export function requireRequestUrl(outgoing: Outgoing, field: string, url: string, { isIssuer = false } = {}): void {
  const rule = outgoing.brokenRule(url) ?? (isIssuer && /[?\s]/.test(url) ? 'be a URL without a query' : null)
  if (rule !== null) throw refused({ [field]: [`The :attribute field must ${rule}.`] })
}

/**
 * Parses a user-supplied URL to which browsers are sent with messages of a protocol; returns null if it is not allowed. Only browsers send
 * requests to it, so its host can be in a private network. The hosts that are allowed there need no https.
 */
export function parseBrowserUrl(outgoing: Outgoing, text: string): URL | null {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return null
  return url.protocol === 'https:' || outgoing.brokenRule(text) === null ? url : null
}

// These are the rules for URIs in a client registration. Browsers are redirected to them with codes, and they are compared character by
// character (RFC 9700 §2.1). A URI that a browser would normalize to another one is therefore refused, not corrected.

/**
 * Kinds of URI: `https`; `loopback`, http to the user's own device (RFC 8252 §7.3), also by its usual name, `localhost`; `private`, a
 * private-use scheme (RFC 8252 §7.1).
 */
type Kind = 'https' | 'loopback' | 'localhost' | 'private'

const characters = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/
const hierarchical = /^(?<origin>https?:\/\/(?<authority>[^/?]*))(?<path>\/[^?]*)?/
// None of the three can have a certificate for https.
const loopbackHosts = new Set(['127.0.0.1', '[::1]'])
const localNames = new Set([...loopbackHosts, 'localhost'])

const normalized = 'as browsers write it: scheme and host in lower case, no default port, no dot segments'

/** Returns the rule that a URI breaks, to follow "must"; null if it is valid. `kindRule` is the rule about the allowed kinds. */
function brokenUriRule(uri: string, kinds: readonly Kind[], kindRule: string): string | null {
  if (!characters.test(uri)) return 'be an absolute URI of ASCII characters, without spaces'
  if (uri.includes('#')) return 'not have a fragment'
  if (uri.includes('*')) return 'not have a wildcard, since it is matched exactly'
  const parsed = URL.parse(uri)
  if (!parsed) return 'be an absolute URI'
  if (parsed.username !== '' || parsed.password !== '' || /^[^:]+:\/\/[^/?]*@/.test(uri)) return 'not have user information'
  const kind = getKind(parsed)
  if (kind === null || !kinds.includes(kind)) return kindRule
  if (kind === 'private') return parsed.href === uri && /^[^:]+:\//.test(uri) ? null : `be ${normalized}`
  const { origin, path = '/' } = hierarchical.exec(uri)?.groups ?? {}
  return parsed.origin === origin && parsed.pathname === path ? null : `be ${normalized}`
}

function getKind({ protocol, hostname }: URL): Kind | null {
  if (protocol === 'https:') return localNames.has(hostname) ? null : 'https'
  if (protocol === 'http:') return loopbackHosts.has(hostname) ? 'loopback' : hostname === 'localhost' ? 'localhost' : null
  // A private-use scheme is a reversed domain name, which has a dot (RFC 8252 §7.1). A scheme without a dot has no owner.
  return protocol.includes('.') ? 'private' : null
}

const registeredUri = (kinds: readonly Kind[], kindRule: string) =>
  text.max(2000).superRefine((uri, { addIssue }) => {
    const rule = brokenUriRule(uri, kinds, kindRule)
    if (rule !== null) addIssue({ code: 'custom', message: `The :attribute field must ${rule}.`, input: uri })
  })

const webRule = 'be https, or http to 127.0.0.1 or [::1]'

const redirectUri = registeredUri(
  ['https', 'loopback', 'localhost', 'private'],
  'be https, or http to 127.0.0.1, [::1] or localhost, or of a private-use scheme such as com.example.app:/cb',
)

/** A URL of the client that the service itself calls. */
export const callbackUri = registeredUri(['https', 'loopback'], webRule)

/** The URL of an image or of a page for users. */
export const webUri = registeredUri(['https'], 'be https')

/** Returns true if a URI has a private-use scheme. Any app on the same device can claim that scheme too (RFC 8252 §8.1). */
export const isPrivateUse = (uri: string) => /^[^:/]*\.[^:/]*:/.test(uri)

/** Returns true if a URI has the name `localhost`, which can resolve to another host than the user's device (RFC 8252 §8.3). */
export const isLocalhost = (uri: string) => /^http:\/\/localhost(?:[:/?]|$)/.test(uri)

/** Returns true if a registered redirect URI leads to an app on the user's device: loopback, or a private-use scheme (RFC 8252 §7). */
export const isOnDevice = (uri: string) => !uri.startsWith('https:')

/** A list of redirect URIs without duplicates. */
export const redirectUris = z
  .array(redirectUri)
  .max(100)
  .transform((uris) => [...new Set(uris)])
