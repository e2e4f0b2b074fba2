import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { C14nCanonicalization, ExclusiveCanonicalization } from 'xml-crypto'
import type { NamespacePrefix } from 'xml-crypto'
import { ProviderError } from '../protocol.ts'
import { readSignature, readSignedInfo, requireAcceptedSignatures } from './signatures.ts'
import type { Canonicalization, SignedInfo } from './signatures.ts'
import { listChildren, isElement, isNamed, listElements, parseOrRefuse } from './xml.ts'
import type { Namespace } from './xml.ts'

/**
 * Verifies the signature of the assertion in a response, and that of the response if it has one, with any of the certificates. Returns the
 * signed assertion: its canonical form is parsed again, so that nothing outside the signature is ever read. Removes the signatures from the
 * response. Throws a `ProviderError`.
 */
export function verifySignatures(response: Element, certificates: readonly string[]): Element {
  const assertion = requireOneAssertion(response)
  const keys = certificates.map((certificate) => new X509Certificate(Buffer.from(certificate, 'base64')).publicKey)
  // The response is verified first, because its signature covers that of the assertion.
  verifyElement(response, keys)
  const xml = verifyElement(assertion, keys)
  const signed = xml === null ? null : parseOrRefuse(xml, 'The assertion')
  if (!signed || !isNamed(signed, 'assertion', 'Assertion')) throw invalid('the signed element is no assertion')
  return signed
}

/** Returns the only assertion of a response. Throws a `ProviderError` unless there is exactly one, which is signed. */
function requireOneAssertion(root: Element): Element {
  const elements = listElements(root)
  const contains = (namespace: Namespace, name: string) => elements.slice(1).some((element) => isNamed(element, namespace, name))
  if (contains('assertion', 'EncryptedAssertion') || contains('assertion', 'EncryptedID'))
    throw new ProviderError('The assertion is encrypted, which is not supported. Turn encryption off at the provider.')
  const { length } = elements.filter((element) => isNamed(element, 'assertion', 'Assertion'))
  const [assertion] = listChildren(root, 'assertion', 'Assertion')
  if (!assertion || length !== 1 || contains('protocol', 'Response'))
    throw new ProviderError(`The response must contain exactly one assertion, and contains ${length}.`)
  requireAcceptedSignatures(root, assertion, elements)
  return assertion
}

/**
 * Verifies the signature in an element, and removes it from the element. Returns the canonical form of the element, whose digest was
 * signed; null if there is no signature.
 */
function verifyElement(element: Element, keys: readonly KeyObject[]): string | null {
  const signature = readSignature(element)
  if (!signature) return null
  const { canonicalization, algorithm } = readSignedInfo(signature.signedInfo, element)
  const canonicalText = canonicalize(signature.signedInfo, canonicalization)
  if (!keys.some((key) => isSigned(canonicalText, signature.value, key, algorithm)))
    throw invalid('it was not made with a certificate in the settings of the provider, or was changed')
  // The verified bytes are parsed, not the received element.
  const { transform, hash, digest } = readSignedInfo(parseOrRefuse(canonicalText, 'The signature'), element)
  element.removeChild(signature.element)
  const xml = canonicalize(element, transform)
  if (!createHash(hash).update(xml).digest().equals(digest))
    throw invalid(`the ${element.localName.toLowerCase()} was changed after it was signed`)
  return xml
}

const isSigned = (text: string, signature: Buffer, key: KeyObject, { hash, padding }: SignedInfo['algorithm']) =>
  verify(hash, Buffer.from(text), { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }, signature)

const invalid = (why: string) => new ProviderError(`The signature is not valid: ${why}.`)

/**
 * Returns an element in canonical form, without comments (Canonical XML 1.0, Exclusive XML Canonicalization 1.0). Adds to the element those
 * namespace declarations of its ancestors that `prefixes` lists.
 */
function canonicalize(element: Element, { kind, prefixes }: Canonicalization): string {
  const ancestorNamespaces = findInheritedNamespaces(element)
  const options = { ancestorNamespaces, inclusiveNamespacesPrefixList: [...prefixes] }
  const algorithm = kind === 'exclusive' ? new ExclusiveCanonicalization() : new C14nCanonicalization()
  try {
    return algorithm.process(element, options)
  } catch (cause) {
    // An empty CDATA section throws, because the library cannot process it.
    throw new ProviderError('The response contains nodes that are not supported.', { cause })
  }
}

/** Returns the namespace declarations of the ancestors of an element that it does not replace by its own. */
function findInheritedNamespaces(element: Element): NamespacePrefix[] {
  const declared = new Map<string, string>()
  for (let each: Node | null = element; each; each = each.parentNode) {
    if (!isElement(each)) break
    for (const { name, value } of Array.from(each.attributes)) {
      const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : null
      if (prefix !== null && !declared.has(prefix)) declared.set(prefix, each === element ? '' : value)
    }
  }
  return Array.from(declared, ([prefix, namespaceURI]) => ({ prefix, namespaceURI })).filter(
    ({ prefix, namespaceURI }) => namespaceURI !== '' && prefix !== (element.prefix ?? ''),
  )
}
