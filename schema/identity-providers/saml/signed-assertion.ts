import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { ProviderError } from '../protocol.ts'
import { canonicalize } from './canonical.ts'
import { parseOrRefuse, requireOneAssertion } from './response.ts'
import { readSignature, readSignedInfo } from './signatures.ts'
import type { SignedInfo } from './signatures.ts'
import { isNamed } from './xml.ts'

/**
 * Verifies the signature of the assertion in a response, and that of the response if it has one, with any of the certificates. Returns the
 * assertion as it was signed: its canonical form is parsed anew, so that nothing outside the signature is ever read. Takes the signatures out of
 * the response. Throws a `ProviderError`.
 */
export function verifySignatures(response: Element, certificates: readonly string[]): Element {
  const assertion = requireOneAssertion(response)
  const keys = certificates.map((certificate) => new X509Certificate(Buffer.from(certificate, 'base64')).publicKey)
  // The response first: its signature covers that of the assertion.
  verifyElement(response, keys)
  const xml = verifyElement(assertion, keys)
  const signed = xml === null ? null : parseOrRefuse(xml, 'The assertion')
  if (!signed || !isNamed(signed, 'assertion', 'Assertion')) throw invalid('the signed element is no assertion')
  return signed
}

/**
 * Verifies the signature in an element, and takes it out of the element. Returns the canonical form of the element, whose
 * digest was signed; null if there is no signature.
 */
function verifyElement(element: Element, keys: readonly KeyObject[]): string | null {
  const signature = readSignature(element)
  if (!signature) return null
  const { canonicalization, algorithm } = readSignedInfo(signature.signedInfo, element)
  const canonical = canonicalize(signature.signedInfo, canonicalization)
  if (!keys.some((key) => isSigned(canonical, signature.value, key, algorithm)))
    throw invalid('it was not made with a certificate in the settings of the provider, or was changed')
  // What was verified is read, not what was received.
  const { transform, hash, digest } = readSignedInfo(parseOrRefuse(canonical, 'The signature'), element)
  element.removeChild(signature.element)
  const xml = canonicalize(element, transform)
  if (!createHash(hash).update(xml).digest().equals(digest))
    throw invalid(`the ${element.localName.toLowerCase()} was changed after it was signed`)
  return xml
}

const isSigned = (text: string, signature: Buffer, key: KeyObject, { hash, padding }: SignedInfo['algorithm']) =>
  verify(hash, Buffer.from(text), { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }, signature)

const invalid = (why: string) => new ProviderError(`The signature is not valid: ${why}.`)
