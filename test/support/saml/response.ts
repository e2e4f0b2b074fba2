import { SignedXml } from 'xml-crypto'
import type { Signer } from './signer.ts'

const algorithms = {
  sha256: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  sha512: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  pss: ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  sha1: ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#sha1'],
} as const

/** What a response says. Times are in milliseconds from now. */
export interface ResponseContent {
  issuer: string
  destination: string | null
  audience: string
  recipient: string
  /** Null for a response without a request. */
  inResponseTo: string | null
  now: Date
  notBefore?: number
  /** Null for conditions without an end. */
  expires?: number | null
  authenticated?: number
  nameId?: string
  nameIdFormat?: string
  attributes?: Readonly<Record<string, readonly string[]>>
  status?: string
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const minute = 60_000
let count = 0

/** An assertion without a signature. */
export function assertionXml(content: ResponseContent): string {
  const { issuer, audience, recipient, inResponseTo, now, nameId = 'ada-1', nameIdFormat = persistent } = content
  const { notBefore = -minute, expires = 5 * minute, authenticated = -minute, attributes = { email: ['ada@example.com'] } } = content
  const at = (offset: number) => new Date(now.getTime() + offset).toISOString()
  const answers = inResponseTo === null ? '' : ` InResponseTo="${inResponseTo}"`
  const values = (texts: readonly string[]) => texts.map((text) => `<saml:AttributeValue>${text}</saml:AttributeValue>`).join('')
  const statements = Object.entries(attributes).map(([name, texts]) => `<saml:Attribute Name="${name}">${values(texts)}</saml:Attribute>`)
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_assertion${(count += 1)}" Version="2.0" IssueInstant="${at(0)}">` +
    `<saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
    `<saml:SubjectConfirmationData NotOnOrAfter="${at(expires ?? minute)}" Recipient="${recipient}"${answers}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(notBefore)}"${expires === null ? '' : ` NotOnOrAfter="${at(expires)}"`}>` +
    `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(authenticated)}" SessionIndex="_session"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>` +
    `</saml:AuthnStatement><saml:AttributeStatement>${statements.join('')}</saml:AttributeStatement></saml:Assertion>`
  )
}

/** A response without a signature, with what stands in it, such as a signed assertion. */
export function responseXml({ issuer, destination, inResponseTo, now, status = 'Success' }: ResponseContent, inner: string): string {
  const attributes = [
    destination === null ? '' : ` Destination="${destination}"`,
    inResponseTo === null ? '' : ` InResponseTo="${inResponseTo}"`,
  ]
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response${(count += 1)}" Version="2.0" ` +
    `IssueInstant="${now.toISOString()}"${attributes.join('')}>` +
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${inner}</samlp:Response>`
  )
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

export interface SignOptions {
  hash?: keyof typeof algorithms
  canonicalization?: 'exclusive' | 'inclusive'
  /** Prefixes that exclusive canonicalization includes. */
  prefixes?: string[]
}

/** Signs the first element with this name, and puts the signature after its issuer. */
export function sign(
  xml: string,
  element: 'Assertion' | 'Response',
  { key, certificate }: Signer,
  { hash = 'sha256', canonicalization = 'exclusive', prefixes = [] }: SignOptions = {},
) {
  const [signatureAlgorithm, digestAlgorithm] = algorithms[hash]
  const canonicalizationAlgorithm = canonicalization === 'exclusive' ? exclusive : inclusive
  const publicCert = `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  const getKeyInfoContent = SignedXml.getKeyInfoContent
  const signed = new SignedXml({ privateKey: key, publicCert, signatureAlgorithm, canonicalizationAlgorithm, getKeyInfoContent })
  const xpath = `//*[local-name(.)='${element}']`
  const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalizationAlgorithm]
  signed.addReference({ xpath, transforms, digestAlgorithm, inclusiveNamespacesPrefixList: prefixes })
  signed.computeSignature(xml, { prefix: 'ds', location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signed.getSignedXml()
}

/** A response with a signed assertion. */
export const signedResponse = (content: ResponseContent, signer: Signer, options?: SignOptions) =>
  responseXml(content, sign(assertionXml(content), 'Assertion', signer, options))
