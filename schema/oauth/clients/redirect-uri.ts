import { z } from 'zod'
import { text } from '../../core/validation.ts'

// URIs in a client registration. Browsers are redirected to them with codes, and they are compared character by character
// (RFC 9700 §2.1). A URI that a browser would normalize to another one is therefore refused, not corrected.

/** `https`; `loopback`: http to the user's own device (RFC 8252 §7.3); `private`: a private-use scheme (RFC 8252 §7.1). */
type Kind = 'https' | 'loopback' | 'private'

const characters = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/
const hierarchical = /^(?<origin>https?:\/\/(?<authority>[^/?]*))(?<path>\/[^?]*)?/
// `localhost` can resolve to another host (RFC 8252 §8.3). None of the three can have a certificate for https.
const loopbackHosts = new Set(['127.0.0.1', '[::1]'])
const localNames = new Set([...loopbackHosts, 'localhost'])

const normalized = 'as browsers write it: scheme and host in lower case, no default port, no dot segments'

/** Returns the rule that a URI breaks, to follow "must"; null if it is valid. `kindRule` names the allowed kinds. */
function brokenRule(uri: string, kinds: readonly Kind[], kindRule: string): string | null {
  if (!characters.test(uri)) return 'be an absolute URI of ASCII characters, without spaces'
  if (uri.includes('#')) return 'not have a fragment'
  if (uri.includes('*')) return 'not have a wildcard, since it is matched exactly'
  const parsed = URL.parse(uri)
  if (!parsed) return 'be an absolute URI'
  if (parsed.username !== '' || parsed.password !== '' || /^[^:]+:\/\/[^/?]*@/.test(uri)) return 'not have user information'
  const kind = kindOf(parsed)
  if (kind === null || !kinds.includes(kind)) return kindRule
  if (kind === 'private') return parsed.href === uri && /^[^:]+:\//.test(uri) ? null : `be ${normalized}`
  const { origin, path = '/' } = hierarchical.exec(uri)?.groups ?? {}
  return parsed.origin === origin && parsed.pathname === path ? null : `be ${normalized}`
}

function kindOf({ protocol, hostname }: URL): Kind | null {
  if (protocol === 'https:') return localNames.has(hostname) ? null : 'https'
  if (protocol === 'http:') return loopbackHosts.has(hostname) ? 'loopback' : null
  // A reversed domain name, which has a dot (RFC 8252 §7.1). A scheme without one has no known owner.
  return protocol.includes('.') ? 'private' : null
}

const registeredUri = (kinds: readonly Kind[], kindRule: string) =>
  text.max(2000).superRefine((uri, { addIssue }) => {
    const rule = brokenRule(uri, kinds, kindRule)
    if (rule !== null) addIssue({ code: 'custom', message: `The :attribute field must ${rule}.`, input: uri })
  })

const webRule = 'be https, or http to 127.0.0.1 or [::1]'

/** A redirect URI. */
const redirectUri = registeredUri(['https', 'loopback', 'private'], `${webRule}, or of a private-use scheme such as com.example.app:/cb`)

/** A URL that the service itself calls. */
export const callbackUri = registeredUri(['https', 'loopback'], webRule)

/** The URL of an image or of a page for people. */
export const webUri = registeredUri(['https'], 'be https')

/** Whether a URI has a private-use scheme. Any app on the same device can claim that scheme too (RFC 8252 §8.1). */
export const isPrivateUse = (uri: string) => /^[^:/]*\.[^:/]*:/.test(uri)

/** Whether a registered redirect URI leads to an app on the user's device: loopback, or a private-use scheme (RFC 8252 §7). */
export const isOnDevice = (uri: string) => !uri.startsWith('https:')

/** A list of redirect URIs without duplicates. */
export const redirectUris = z
  .array(redirectUri)
  .max(100)
  .transform((uris) => [...new Set(uris)])
