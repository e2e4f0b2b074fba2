import { beforeAll, describe, expect, test } from 'vitest'
import { DomainError } from '../../../schema/core/errors.ts'
import { parseSamlMetadata } from '../../../schema/identity-providers/saml/metadata.ts'
import { createOutgoingRequests } from '../../../src/outgoing/outgoing-requests.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { keyDescriptor, providerMetadata } from '../../support/saml/metadata.ts'
import { createSigner } from '../../support/saml/signer.ts'

const outgoing = createOutgoingRequests({ outgoingAllowedHosts: ['localhost'], dnsServers: [] })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
const read = (xml: string, now = inDays(1)) => parseSamlMetadata(xml, { now: () => now, outgoing })

/** The message for the field `metadata`. */
function refusalOf(xml: string, now?: Date): string | undefined {
  try {
    read(xml, now)
    return undefined
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error.details.errors?.['metadata']?.join(' ')
  }
}

describe.runIf(canIssueCertificates)('the metadata of a SAML identity provider', () => {
  let [first, second, third, short] = ['', '', '', '']

  beforeAll(() => {
    first = createSigner().certificate
    second = createSigner().certificate
    third = createSigner().certificate
    short = createSigner({ commonName: 'short.example', days: 5 }).certificate
  })

  test('gives the entity ID, the URL for requests and the signing certificates', () => {
    const more = keyDescriptor(third, 'encryption')
    expect(read(providerMetadata({ certificates: [first, second], more }))).toEqual({
      issuer: 'https://idp.example/metadata',
      ssoUrl: 'https://idp.example/sso',
      certificates: [first, second],
    })
  })

  test('may begin with a byte order mark, repeat a certificate, and not say what a key is for', () => {
    const xml = providerMetadata({ certificates: [first, first], more: keyDescriptor(second, null) })
    expect(read(`\uFEFF${xml}`).certificates).toEqual([first, second])
  })

  test('may be a list of one identity provider', () => {
    const xml = providerMetadata({ certificates: [first] }).replace(/<\?.*?\?>/, '')
    const list = `<m:EntitiesDescriptor xmlns:m="urn:oasis:names:tc:SAML:2.0:metadata">${xml}</m:EntitiesDescriptor>`
    expect(read(list).certificates).toEqual([first])
    expect(refusalOf(list.replace(xml, xml + xml))).toBe('The metadata describes several identity providers. Use the metadata of one.')
  })

  test('may name a host that is allowed without https', () => {
    expect(read(providerMetadata({ certificates: [first], ssoUrl: 'http://localhost:8080/sso' })).ssoUrl).toBe('http://localhost:8080/sso')
    expect(refusalOf(providerMetadata({ certificates: [first], ssoUrl: 'http://idp.example/sso' }))).toBe(
      'The SingleSignOnService in the metadata must be an https URL without user information and fragment.',
    )
  })

  test('names certificates that expired, and leaves them out if another one remains', () => {
    const expired = /^The signing certificate “short.example” expired on \d{4}-\d\d-\d\d\.$/
    expect(refusalOf(providerMetadata({ certificates: [short] }), inDays(10))).toMatch(expired)
    expect(read(providerMetadata({ certificates: [short, first] }), inDays(10)).certificates).toEqual([first])
    expect(refusalOf(providerMetadata({ certificates: [first] }), inDays(-1))).toMatch(/“provider.example” is not valid before/)
  })

  test('is refused with what is wrong', () => {
    const weak = createSigner({ commonName: 'weak.example', algorithm: 'rsa:1024' }).certificate
    const curve = createSigner({ commonName: 'curve.example', algorithm: 'ec' }).certificate
    const good = providerMetadata({ certificates: [first] })
    const refused: Record<string, [xml: string, message: string]> = {
      nothing: ['', 'The metadata is not well-formed XML.'],
      'the page of a URL': ['<html><body><p>Sign in</body></html>', 'The metadata is not well-formed XML.'],
      'another document': ['<html/>', 'The metadata must be a SAML EntityDescriptor.'],
      'a document type': [`<!DOCTYPE a [<!ENTITY b "c">]>${good}`, 'The metadata has a document type declaration, which is not accepted.'],
      entities: [good.replace('https://idp.example/sso', '&b;'), 'The metadata is not well-formed XML.'],
      'a NUL': [good.replace('https://idp.example/sso', '&#0;'), 'The metadata contains characters that are not allowed in XML.'],
      'a megabyte': [`${good}${' '.repeat(1_000_000)}`, 'The metadata is larger than 256 kB.'],
      'deep elements': ['<a>'.repeat(40) + '</a>'.repeat(40), 'The metadata has more than 30 elements within each other.'],
      'many elements': [good.replace('<md:', `${'<!---->'.repeat(5000)}<md:`), 'The metadata has more than 5000 elements and attributes.'],
      'many certificates': [
        providerMetadata({ certificates: Array.from({ length: 11 }, (_, index) => `AAA${index}`) }),
        'The metadata has 11 signing certificates; at most 10 are read.',
      ],
      'a service provider': [
        providerMetadata({ certificates: [first], role: 'SPSSODescriptor' }),
        'The metadata describes no identity provider (IDPSSODescriptor). Metadata of a service provider cannot be used.',
      ],
      'SAML 1.1': [
        good.replace('SAML:2.0:protocol', 'SAML:1.1:protocol'),
        'The identity provider in the metadata does not support SAML 2.0.',
      ],
      'no entity ID': [good.replace(/entityID="[^"]*"/, ''), 'The metadata must have an entityID of at most 1024 characters.'],
      'no redirect binding': [
        good.replace('bindings:HTTP-Redirect', 'bindings:SOAP'),
        'The metadata must have a SingleSignOnService with the HTTP-Redirect binding.',
      ],
      'no certificate': [providerMetadata({ certificates: [] }), 'The metadata must have a signing certificate.'],
      'no readable certificate': [providerMetadata({ certificates: ['AAAA'] }), 'A signing certificate cannot be read.'],
      'three certificates': [
        providerMetadata({ certificates: [first, second, third] }),
        'The metadata has 3 signing certificates; at most 2 are accepted.',
      ],
      'a weak key': [
        providerMetadata({ certificates: [weak] }),
        'The signing certificate “weak.example” has a key of 1024 bits; 2048 are required.',
      ],
      'an elliptic curve': [providerMetadata({ certificates: [curve] }), 'The signing certificate “curve.example” has no RSA key.'],
    }
    expect(Object.fromEntries(Object.entries(refused).map(([name, [xml]]) => [name, refusalOf(xml)]))).toEqual(
      Object.fromEntries(Object.entries(refused).map(([name, [, message]]) => [name, message])),
    )
  })
})
