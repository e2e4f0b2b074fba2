import { constants } from 'node:crypto'
import { ProviderError } from '../protocol.ts'
import { readAttribute, listChildren, listChildElements, isNamed, readElementText } from './xml.ts'

// XML Signature can sign anything, by any chain of algorithms. This file accepts only the part of it that identity providers use.

const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = constants
const signatureAlgorithms = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': { hash: 'sha256', padding: RSA_PKCS1_PADDING },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': { hash: 'sha512', padding: RSA_PKCS1_PADDING },
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1': { hash: 'sha256', padding: RSA_PKCS1_PSS_PADDING },
} as const
const digestAlgorithms = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
} as const
const canonicalizations = {
  'http://www.w3.org/2001/10/xml-exc-c14n#': 'exclusive',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315': 'inclusive',
} as const
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
/** Maximum characters of the prefixes that a canonicalization includes. */
const maxPrefixes = 1000

/** The method by which an element is converted to bytes. */
export interface Canonicalization {
  kind: (typeof canonicalizations)[keyof typeof canonicalizations]
  /** Prefixes that exclusive canonicalization treats as inclusive canonicalization does. */
  prefixes: readonly string[]
}

/** The content of a SignedInfo element. */
export interface SignedInfo {
  /** Canonicalization of the SignedInfo element. */
  canonicalization: Canonicalization
  algorithm: (typeof signatureAlgorithms)[keyof typeof signatureAlgorithms]
  /** Canonicalization of the signed element, without its signature. */
  transform: Canonicalization
  hash: (typeof digestAlgorithms)[keyof typeof digestAlgorithms]
  digest: Buffer
}

/** A signature in an accepted form. It is not verified. */
export interface Signature {
  element: Element
  signedInfo: Element
  value: Buffer
}

/**
 * Throws a `ProviderError` unless the assertion has a signature, the response at most one, there are no others, and each refers to its
 * parent alone, by accepted algorithms. `elements` are all elements of the response.
 */
export function requireAcceptedSignatures(response: Element, assertion: Element, elements: readonly Element[]): void {
  const ofAssertion = listChildren(assertion, 'signature', 'Signature')
  const ofResponse = listChildren(response, 'signature', 'Signature')
  if (ofAssertion.length === 0)
    throw new ProviderError('The assertion is not signed. Let the provider sign assertions, not the response alone.')
  const { length } = elements.filter((element) => isNamed(element, 'signature', 'Signature'))
  if (ofAssertion.length > 1 || ofResponse.length > 1 || length !== ofAssertion.length + ofResponse.length)
    throw new ProviderError('The response contains signatures that sign neither the response nor the assertion.')
  requireUniqueIds(elements)
  for (const signed of [response, assertion]) {
    const signature = readSignature(signed)
    if (signature) readSignedInfo(signature.signedInfo, signed)
  }
}

const refuse = (what: string): never => {
  throw new ProviderError(`The signature ${what}.`)
}

/** Returns the signature in an element; null if it has none. Throws a `ProviderError` unless it has the accepted parts. */
export function readSignature(signed: Element): Signature | null {
  const [element] = listChildren(signed, 'signature', 'Signature')
  if (!element) return null
  const [signedInfo, value, keyInfo, ...others] = listChildElements(element)
  const hasForm = isPart(signedInfo, 'SignedInfo') && isPart(value, 'SignatureValue') && (!keyInfo || isPart(keyInfo, 'KeyInfo'))
  if (!hasForm || others.length > 0) return refuse('contains other elements')
  return { element, signedInfo, value: Buffer.from(readElementText(value), 'base64') }
}

const isPart = (element: Element | undefined, name: string): element is Element =>
  element !== undefined && isNamed(element, 'signature', name)

/** Reads the signed information. Throws a `ProviderError` unless only `signed` is signed, by accepted algorithms. */
export function readSignedInfo(signedInfo: Element, signed: Element): SignedInfo {
  const [canonicalization, method, reference, ...references] = listChildElements(signedInfo)
  if (!isPart(canonicalization, 'CanonicalizationMethod') || !isPart(method, 'SignatureMethod') || !isPart(reference, 'Reference'))
    return refuse('must have one canonicalization, one signature method and one reference')
  const [transforms, digestMethod, digestValue, ...others] = listChildElements(reference)
  if (!isPart(transforms, 'Transforms') || !isPart(digestMethod, 'DigestMethod') || !isPart(digestValue, 'DigestValue'))
    return refuse('must have transforms, one digest method and one digest')
  if ([method, digestMethod].some((each) => readAttribute(each, 'Algorithm')?.endsWith('sha1')))
    return refuse('uses SHA-1. SHA-256 or better is required')
  if (references.length > 0 || others.length > 0 || readAttribute(reference, 'URI') !== `#${signed.getAttribute('ID')}`)
    return refuse('does not refer to the element that contains it')
  return {
    canonicalization: readCanonicalization(canonicalization),
    algorithm: readAlgorithm(method, signatureAlgorithms),
    transform: readTransform(listChildElements(transforms)),
    hash: readAlgorithm(digestMethod, digestAlgorithms),
    digest: Buffer.from(readElementText(digestValue), 'base64'),
  }
}

function readAlgorithm<Algorithm>(method: Element, accepted: Readonly<Record<string, Algorithm>>): Algorithm {
  const name = readAttribute(method, 'Algorithm') ?? ''
  const algorithm = Object.hasOwn(accepted, name) ? accepted[name] : undefined
  return algorithm ?? refuse(`has a ${method.localName} that is not accepted (${name.slice(0, 100)})`)
}

function readCanonicalization(method: Element): Canonicalization {
  const kind = readAlgorithm(method, canonicalizations)
  const [inclusive, ...others] = listChildElements(method)
  const list = inclusive?.getAttribute('PrefixList') ?? ''
  if (others.length > 0 || list.length > maxPrefixes) return refuse('has too many prefixes')
  return { kind, prefixes: list.split(/\s+/).filter(Boolean) }
}

/** Returns the canonicalization among the transforms; without one, it is the inclusive one (XML Signature 1.1). */
function readTransform(transforms: readonly Element[]): Canonicalization {
  const [first, second, ...others] = transforms
  const isAccepted = transforms.every((each) => isPart(each, 'Transform')) && others.length === 0
  if (!isAccepted || !first || readAttribute(first, 'Algorithm') !== enveloped) return refuse('has transforms that are not accepted')
  if (!second) return { kind: 'inclusive', prefixes: [] }
  if (!Object.hasOwn(canonicalizations, readAttribute(second, 'Algorithm') ?? '')) return refuse('has transforms that are not accepted')
  return readCanonicalization(second)
}

/** Throws unless all attributes that a verifier may use as an identifier are unique. */
function requireUniqueIds(elements: readonly Element[]): void {
  const ids = elements.flatMap((element) => ['ID', 'Id', 'id'].flatMap((name) => readAttribute(element, name) ?? []))
  if (new Set(ids).size !== ids.length) throw new ProviderError('The response contains an identifier twice.')
}
