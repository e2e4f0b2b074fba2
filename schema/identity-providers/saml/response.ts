import { ProviderError } from '../protocol.ts'
import { readAttribute, listChildren, isNamed, maxXmlBytes, parseOrRefuse, readElementText } from './xml.ts'

/** The text of a response. Nothing in it is verified. */
export interface UnparsedResponse {
  xml: string
  /** Identifier of the request to which it responds. */
  inResponseTo: string
}

/** Maximum characters of the beginning of a response: an XML declaration and the tag of the root element. */
const maxStart = 8192
const startTag = /<(?:[^\s<>!?/"':]+:)?Response\s[^<]*/
const inResponseTo = /\sInResponseTo\s*=\s*["']([^"']*)["']/

/**
 * Decodes the parameter `SAMLResponse` of the HTTP-POST binding (SAML 2.0 Bindings §3.5.4), and reads the identifier of its request without
 * parsing it, because anybody can send one. Throws a `ProviderError`.
 */
export function decodeResponse(parameter: string | null): UnparsedResponse {
  const xml = decode(parameter)
  const [tag] = startTag.exec(xml.slice(0, maxStart)) ?? []
  if (tag === undefined) throw new ProviderError('The provider did not send a SAML 2.0 response.')
  const [, requestId] = inResponseTo.exec(tag) ?? []
  if (!requestId)
    throw new ProviderError(
      'The response does not belong to a request (InResponseTo is missing). Start the sign-in here, not at the identity provider.',
    )
  return { xml, inResponseTo: requestId }
}

/**
 * Parses a response. Accepts only the form that sign-in needs, which has no place for a second assertion or for a signature of something
 * else. Throws a `ProviderError`.
 */
export function parseResponse(xml: string): Element {
  // Comments are refused: they can split the text of a NameID between two parsers, and responses do not need them.
  if (/<!--|<\?/.test(xml.replace(declaration, ''))) throw new ProviderError('The response contains comments or processing instructions.')
  const root = parseOrRefuse(xml, 'The response')
  if (!isNamed(root, 'protocol', 'Response') || readAttribute(root, 'Version') !== '2.0')
    throw new ProviderError('The provider did not send a SAML 2.0 response.')
  return root
}

function decode(parameter: string | null): string {
  const base64 = parameter?.replace(/\s+/g, '') ?? ''
  if (base64 === '') throw new ProviderError('The parameter SAMLResponse is missing.')
  if (base64.length > maxXmlBytes * 2) throw new ProviderError(`The response is larger than ${maxXmlBytes / 1024} kB.`)
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new ProviderError('The response is not encoded in base64.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    // The only possible error is that the bytes are not UTF-8.
    throw new ProviderError('The response is not encoded in UTF-8.')
  }
}

const declaration = /^\uFEFF?<\?xml\s[^?]*\?>/

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const maxStatusLength = 200

/**
 * Throws a `ProviderError` unless the response reports success. The status is only shown, because it is not signed, like many responses
 * without an assertion.
 */
export function requireSuccess(root: Element): void {
  const [status] = listChildren(root, 'protocol', 'Status')
  const [code] = status ? listChildren(status, 'protocol', 'StatusCode') : []
  if (code?.getAttribute('Value') === success) return
  const [subcode] = code ? listChildren(code, 'protocol', 'StatusCode') : []
  const name = (subcode ?? code)?.getAttribute('Value')?.replace(/^.*:/, '')
  const [message] = status ? listChildren(status, 'protocol', 'StatusMessage').map(readElementText) : []
  const details = [name, message].filter(Boolean).join(': ').slice(0, maxStatusLength)
  throw new ProviderError(`The provider reports that sign-in failed${details ? ` (${details})` : ''}.`)
}
