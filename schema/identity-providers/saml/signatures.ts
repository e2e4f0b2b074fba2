import { ProviderError } from '../protocol.ts'
import { attributeOf, childrenOf, descendantsOf, elementsOf, namespaces } from './xml.ts'

// XML Signature can sign anything, by any chain of algorithms. This is the part of it that identity providers use.

const signatureAlgorithms: readonly string[] = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const digestAlgorithms: readonly string[] = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']
const canonicalizations: readonly string[] = ['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315']
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const parts: ReadonlySet<string> = new Set(['SignedInfo', 'SignatureValue', 'KeyInfo'])
/** Characters of the prefixes that a canonicalization includes. */
const maxPrefixes = 1000

/**
 * Throws a `ProviderError` unless the assertion has a signature, the response at most one, there are no others, and each refers to its parent
 * alone, by accepted algorithms. Does not verify the signatures.
 */
export function requireAcceptedSignatures(response: Element, assertion: Element): void {
  const ofAssertion = childrenOf(assertion, 'signature', 'Signature')
  const ofResponse = childrenOf(response, 'signature', 'Signature')
  if (ofAssertion.length === 0)
    throw new ProviderError('The assertion is not signed. Let the provider sign assertions, not the response alone.')
  const signatures = descendantsOf(response, 'signature', 'Signature')
  if (ofAssertion.length > 1 || ofResponse.length > 1 || signatures.length !== ofAssertion.length + ofResponse.length)
    throw new ProviderError('The response contains signatures that sign neither the response nor the assertion.')
  requireUniqueIds(response)
  for (const signature of ofAssertion) requireAccepted(signature, assertion)
  for (const signature of ofResponse) requireAccepted(signature, response)
}

function requireAccepted(signature: Element, signed: Element): void {
  const refuse = (what: string) => {
    throw new ProviderError(`The signature ${what}.`)
  }
  const elements = Array.from(signature.getElementsByTagNameNS('*', '*'))
  const named = (name: string) => elements.filter((each) => each.namespaceURI === namespaces.signature && each.localName === name)
  const algorithmsOf = (name: string) => named(name).map((each) => each.getAttribute('Algorithm') ?? '')
  const used = ['SignatureMethod', 'DigestMethod', 'CanonicalizationMethod'].map((name) => [name, algorithmsOf(name)] as const)
  if (used.some(([, values]) => values.some((value) => value.endsWith('sha1')))) refuse('uses SHA-1. SHA-256 or better is required')
  if (used.some(([, values]) => values.length !== 1)) refuse('must have one signature method, one digest method and one canonicalization')
  const accepted = [signatureAlgorithms, digestAlgorithms, canonicalizations]
  for (const [index, [name, [value = '']]] of used.entries())
    if (!accepted[index]?.includes(value)) refuse(`has a ${name} that is not accepted (${value.slice(0, 100)})`)
  const transforms = algorithmsOf('Transform')
  if (transforms[0] !== enveloped || transforms.length > 2 || transforms.slice(1).some((value) => !canonicalizations.includes(value)))
    refuse('has transforms that are not accepted')
  const [reference, ...others] = named('Reference')
  if (!reference || others.length > 0 || attributeOf(reference, 'URI') !== `#${signed.getAttribute('ID')}`)
    refuse('does not refer to the element that contains it')
  if (elementsOf(signature).some(({ localName }) => !parts.has(localName))) refuse('contains other elements')
  if (elements.some((each) => (each.getAttribute('PrefixList')?.length ?? 0) > maxPrefixes)) refuse('has too many prefixes')
}

/** Any of the attributes that a verifier may take for an identifier. */
function requireUniqueIds(response: Element): void {
  const elements = [response, ...Array.from(response.getElementsByTagNameNS('*', '*'))]
  const ids = elements.flatMap((element) => ['ID', 'Id', 'id'].flatMap((name) => attributeOf(element, name) ?? []))
  if (new Set(ids).size !== ids.length) throw new ProviderError('The response contains an identifier twice.')
}
