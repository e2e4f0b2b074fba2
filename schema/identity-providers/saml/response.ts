import { ProviderError } from '../protocol.ts'
import { requireAcceptedSignatures } from './signatures.ts'
import { attributeOf, childrenOf, descendantsOf, isNamed, maxXmlBytes, parseXml, textOf, XmlError } from './xml.ts'

/** A response whose form is accepted. Nothing in it is verified. */
export interface UnverifiedResponse {
  xml: string
  root: Element
  /** The identifier of the request that it answers. */
  inResponseTo: string
}

/**
 * Reads the parameter `SAMLResponse` of the HTTP-POST binding (SAML 2.0 Bindings §3.5.4). Accepts only the one form that sign-in needs, which
 * leaves no place for a second assertion or for a signature of something else. Throws a `ProviderError`.
 */
export function readResponse(parameter: string | null): UnverifiedResponse {
  const xml = decode(parameter)
  const root = parseResponse(xml)
  if (!isNamed(root, 'protocol', 'Response') || attributeOf(root, 'Version') !== '2.0')
    throw new ProviderError('The provider did not send a SAML 2.0 response.')
  const inResponseTo = attributeOf(root, 'InResponseTo')
  if (inResponseTo === null)
    throw new ProviderError(
      'The response answers no request (InResponseTo is missing). Sign-in must begin here, not at the identity provider.',
    )
  return { xml, root, inResponseTo }
}

/** Throws a `ProviderError` unless the response reports success and contains one assertion, which is signed. Returns the assertion. */
export function requireOneAssertion(root: Element): Element {
  requireSuccess(root)
  if (descendantsOf(root, 'assertion', 'EncryptedAssertion').length > 0 || descendantsOf(root, 'assertion', 'EncryptedID').length > 0)
    throw new ProviderError('The assertion is encrypted, which is not supported. Turn encryption off at the provider.')
  const assertions = descendantsOf(root, 'assertion', 'Assertion')
  const [assertion] = childrenOf(root, 'assertion', 'Assertion')
  if (!assertion || assertions.length !== 1 || descendantsOf(root, 'protocol', 'Response').length > 0)
    throw new ProviderError(`The response must contain exactly one assertion, and contains ${assertions.length}.`)
  requireAcceptedSignatures(root, assertion)
  return assertion
}

function decode(parameter: string | null): string {
  const base64 = parameter?.replace(/\s+/g, '') ?? ''
  if (base64 === '') throw new ProviderError('The parameter SAMLResponse is missing.')
  if (base64.length > maxXmlBytes * 2) throw new ProviderError(`The response is larger than ${maxXmlBytes / 1024} kB.`)
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new ProviderError('The response is not encoded in base64.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    // Its only error says that the bytes are not UTF-8.
    throw new ProviderError('The response is not encoded in UTF-8.')
  }
}

const declaration = /^\uFEFF?<\?xml\s[^?]*\?>/

function parseResponse(xml: string): Element {
  // Comments can split the text of a NameID between two parsers, and responses have no use for them.
  if (/<!--|<\?/.test(xml.replace(declaration, ''))) throw new ProviderError('The response contains comments or processing instructions.')
  try {
    return parseXml(xml)
  } catch (error) {
    if (error instanceof XmlError) throw new ProviderError(`The response ${error.message}.`, { cause: error })
    throw error
  }
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const maxStatusLength = 200

/** Not signed, as responses without an assertion often are not: it is only shown. */
function requireSuccess(root: Element): void {
  const [status] = childrenOf(root, 'protocol', 'Status')
  const [code] = status ? childrenOf(status, 'protocol', 'StatusCode') : []
  if (code?.getAttribute('Value') === success) return
  const [subcode] = code ? childrenOf(code, 'protocol', 'StatusCode') : []
  const name = (subcode ?? code)?.getAttribute('Value')?.replace(/^.*:/, '')
  const [message] = status ? childrenOf(status, 'protocol', 'StatusMessage').map(textOf) : []
  const details = [name, message].filter(Boolean).join(': ').slice(0, maxStatusLength)
  throw new ProviderError(`The provider reports that sign-in failed${details ? ` (${details})` : ''}.`)
}
