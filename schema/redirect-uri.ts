import { z } from 'zod'
import { text } from './validation.ts'

// The addresses a client is registered with. People's browsers are sent to them with codes, and they are matched
// character by character (RFC 9700 §2.1), so one that a browser would write otherwise is refused, not corrected.

/** `https`; `loopback`: http to the machine itself (RFC 8252 §7.3); `private`: a scheme of an installed app (§7.1). */
type Kind = 'https' | 'loopback' | 'private'

const characters = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/
const hierarchical = /^(?<origin>https?:\/\/(?<authority>[^/?]*))(?<path>\/[^?]*)?/
// "localhost" may lead elsewhere (RFC 8252 §8.3), and nobody issues a certificate for any of the three.
const loopbackHosts = new Set(['127.0.0.1', '[::1]'])
const machineNames = new Set([...loopbackHosts, 'localhost'])

const unclear = 'as browsers write it: scheme and host in lower case, no default port, no dot segments'

/** What keeps an address from being registered, completing "must …"; null where nothing does. */
function fault(uri: string, kinds: readonly Kind[], words: string): string | null {
  if (!characters.test(uri)) return 'be an absolute URI of ASCII characters, without spaces'
  if (uri.includes('#')) return 'not have a fragment'
  if (uri.includes('*')) return 'not have a wildcard, since it is matched exactly'
  const parsed = URL.parse(uri)
  if (!parsed) return 'be an absolute URI'
  if (parsed.username !== '' || parsed.password !== '' || /^[^:]+:\/\/[^/?]*@/.test(uri)) return 'not have user information'
  const kind = kindOf(parsed)
  if (kind === null || !kinds.includes(kind)) return words
  if (kind === 'private') return parsed.href === uri && /^[^:]+:\//.test(uri) ? null : `be ${unclear}`
  const { origin, path = '/' } = hierarchical.exec(uri)?.groups ?? {}
  return parsed.origin === origin && parsed.pathname === path ? null : `be ${unclear}`
}

function kindOf({ protocol, hostname }: URL): Kind | null {
  if (protocol === 'https:') return machineNames.has(hostname) ? null : 'https'
  if (protocol === 'http:') return loopbackHosts.has(hostname) ? 'loopback' : null
  // Reversed domain names: of a name without a dot nobody can say whose it is.
  return protocol.includes('.') ? 'private' : null
}

const address = (kinds: readonly Kind[], words: string) =>
  text.max(2000).superRefine((uri, { addIssue }) => {
    const wrong = fault(uri, kinds, words)
    if (wrong !== null) addIssue({ code: 'custom', message: `The :attribute field must ${wrong}.`, input: uri })
  })

const webWords = 'be https, or http to 127.0.0.1 or [::1]'

/** Where a client gets people back. */
const redirectUri = address(['https', 'loopback', 'private'], `${webWords}, or of a private-use scheme such as com.example.app:/cb`)

/** Where a client is called by the service itself. */
export const callbackUri = address(['https', 'loopback'], webWords)

/** Where a page finds a picture. */
export const pictureUri = address(['https'], 'be https')

/** Whether an address is that of an installed app, which any other on the same device may claim too (RFC 8252 §8.1). */
export const isPrivateUse = (uri: string) => !/^https?:/.test(uri)

/** Addresses, each once. */
export const redirectUris = z
  .array(redirectUri)
  .max(100)
  .transform((uris) => [...new Set(uris)])
