import { parseBrowserUrl } from '../../core/outgoing/url-rules.ts'
import type { Ports } from '../../core/ports.ts'
import { refused } from '../../core/validation.ts'
import { readCertificate } from './certificates.ts'
import { readAttribute, listChildren, isNamed, listElements, parseXml, readElementText, XmlError } from './xml.ts'

/** The relevant content of the metadata of a SAML identity provider. */
export interface SamlMetadata {
  /** The entity ID. */
  issuer: string
  /** URL to which requests are sent (HTTP-Redirect binding). */
  ssoUrl: string
  /** One or two certificates that verify signatures, in base64 without the PEM lines. */
  certificates: string[]
}

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
const maxCertificates = 2
/** Maximum number of certificates that are read, including expired ones. Reading one is slow. */
const maxReadCertificates = 10
/** Maximum characters of an entity ID (SAML 2.0 Core §8.3.6) and of a URL. */
const maxLength = 1024

/**
 * Reads the metadata (SAML 2.0 Metadata §2.4) of one identity provider. Throws `validation_failed` with a message for `metadata`. Its
 * signature, if any, is not verified: the owner of the team vouches for the document. Expired certificates are omitted if another one
 * remains.
 */
export function parseSamlMetadata(xml: string, { now, outgoing }: Pick<Ports, 'now' | 'outgoing'>): SamlMetadata {
  const { entity, role } = findIdentityProvider(xml)
  const issuer = readAttribute(entity, 'entityID')
  if (issuer === null || issuer.length > maxLength)
    throw refusedMetadata(`The metadata must have an entityID of at most ${maxLength} characters.`)
  return { issuer, ssoUrl: findSsoUrl(role, outgoing), certificates: findCertificates(role, now()) }
}

const refusedMetadata = (message: string) => refused({ metadata: [message] })

function findIdentityProvider(xml: string): { entity: Element; role: Element } {
  const root = parseMetadataRoot(xml)
  const entities = isNamed(root, 'metadata', 'EntityDescriptor')
    ? [root]
    : isNamed(root, 'metadata', 'EntitiesDescriptor')
      ? listElements(root).filter((element) => isNamed(element, 'metadata', 'EntityDescriptor'))
      : null
  if (!entities) throw refusedMetadata('The metadata must be a SAML EntityDescriptor.')
  const roles = entities.flatMap((entity) => listChildren(entity, 'metadata', 'IDPSSODescriptor').map((role) => ({ entity, role })))
  const usable = roles.filter(({ role }) => readAttribute(role, 'protocolSupportEnumeration')?.split(/\s+/).includes(protocol))
  const [first, second] = usable
  if (!first)
    throw refusedMetadata(
      roles.length > 0
        ? 'The identity provider in the metadata does not support SAML 2.0.'
        : 'The metadata describes no identity provider (IDPSSODescriptor). Metadata of a service provider cannot be used.',
    )
  if (second) throw refusedMetadata('The metadata describes several identity providers. Use the metadata of one.')
  return first
}

function parseMetadataRoot(xml: string): Element {
  try {
    return parseXml(xml)
  } catch (error) {
    if (error instanceof XmlError) throw refusedMetadata(`The metadata ${error.message}.`)
    throw error
  }
}

function findSsoUrl(role: Element, outgoing: Ports['outgoing']): string {
  const services = listChildren(role, 'metadata', 'SingleSignOnService')
  const url = services.find((service) => readAttribute(service, 'Binding') === redirectBinding)?.getAttribute('Location')
  if (!url) throw refusedMetadata('The metadata must have a SingleSignOnService with the HTTP-Redirect binding.')
  const parsed = url.length > maxLength ? null : parseBrowserUrl(outgoing, url)
  if (!parsed) throw refusedMetadata('The SingleSignOnService in the metadata must be an https URL without user information and fragment.')
  return parsed.href
}

const isCertificate = (element: Element) => isNamed(element, 'signature', 'X509Certificate')

function findCertificates(role: Element, now: Date): string[] {
  const keys = listChildren(role, 'metadata', 'KeyDescriptor').filter((key) => readAttribute(key, 'use') !== 'encryption')
  const texts = new Set(keys.flatMap((key) => listElements(key).filter(isCertificate).map(readElementText)))
  if (texts.size === 0) throw refusedMetadata('The metadata must have a signing certificate.')
  if (texts.size > maxReadCertificates)
    throw refusedMetadata(`The metadata has ${texts.size} signing certificates; at most ${maxReadCertificates} are read.`)
  const read = [...texts].map((text) => readCertificate(text, now))
  const certificates = [...new Set(read.flatMap(({ base64 }) => base64 ?? []))]
  if (certificates.length === 0) throw refusedMetadata(read.flatMap(({ refusal }) => refusal ?? []).join(' '))
  if (certificates.length > maxCertificates)
    throw refusedMetadata(`The metadata has ${certificates.length} signing certificates; at most ${maxCertificates} are accepted.`)
  return certificates
}
