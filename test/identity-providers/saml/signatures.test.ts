import { describe, expect, test } from 'vitest'
import { parseResponse } from '../../../schema/identity-providers/saml/response.ts'
import { verifySignatures } from '../../../schema/identity-providers/saml/signed-assertion.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { useSigners } from '../../support/saml/provider.ts'
import { assertionXml, responseXml, sign } from '../../support/saml/response.ts'
import type { SignOptions } from '../../support/saml/response.ts'

// The signatures are made with xml-crypto, of which the service uses the canonicalization only.

const content = { issuer: 'https://idp.example', destination: null, audience: 'a', recipient: 'r', inResponseTo: '_1', now: new Date() }
const namespaces = 'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:default"'

/** A response in which the assertion uses namespaces that the response declares, and characters that canonicalization changes. */
const unsigned = responseXml(content, assertionXml(content))
  .replace('<samlp:Response ', `<samlp:Response  ${namespaces} `)
  .replace(
    '<saml:AttributeValue>',
    `<saml:AttributeValue  xsi:type = 'xs:string'\n>&#x41;&amp;&gt;"\r\n<![CDATA[<]]><inner b="&#9;'" a='"'/><e/>`,
  )

describe.runIf(canIssueCertificates)('the signature of an assertion is verified', () => {
  const signers = useSigners('own', 'other')
  const verify = (xml: string) => verifySignatures(parseResponse(xml), [signers.other.certificate, signers.own.certificate])

  test.each<[name: string, options: SignOptions]>([
    ['with exclusive canonicalization', {}],
    ['with exclusive canonicalization that includes a prefix', { prefixes: ['xs'] }],
    ['with exclusive canonicalization that includes several prefixes', { prefixes: ['xs', 'xsi', 'saml', 'unknown'] }],
    ['with inclusive canonicalization', { canonicalization: 'inclusive' }],
    ['with SHA-512', { hash: 'sha512' }],
    ['with RSA-PSS', { hash: 'pss' }],
  ])('%s', (_, options) => {
    const signed = sign(unsigned, 'Assertion', signers.own, options)
    for (const xml of [signed, sign(signed, 'Response', signers.own, options)]) {
      const assertion = verify(xml)
      const [value] = Array.from(assertion.getElementsByTagName('saml:AttributeValue'))
      expect([assertion.localName, value?.textContent]).toEqual(['Assertion', 'A&>"\n<ada@example.com'])
      expect(assertion.getElementsByTagName('ds:Signature').length).toBe(0)
    }
  })

  test.each<[name: string, from: string | RegExp, to: string]>([
    ['a namespace that it uses is changed', 'http://www.w3.org/2001/XMLSchema"', 'urn:other"'],
    ['white space in it is changed', '<inner', ' <inner'],
    ['an attribute is added to it', '<e/>', '<e a="1"/>'],
    ['the digest is changed', /<ds:DigestValue>./, '<ds:DigestValue>A'],
    ['the signature is changed', /<ds:SignatureValue>./, '<ds:SignatureValue>A'],
    ['the signature is empty', /<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'],
    ['the digest is empty', /<ds:DigestValue>[^<]*/, '<ds:DigestValue>'],
  ])('and refused if %s', (_, from, to) => {
    const signed = sign(unsigned, 'Assertion', signers.own, { prefixes: ['xs'] })
    const changed = signed.replace(from, to)
    expect(changed).not.toBe(signed)
    expect(() => verify(changed)).toThrow('The signature is not valid')
  })
})
