import { parse } from 'node-html-parser'
import { describe, expect, test } from 'vitest'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { contentFor, createSamlProvider, post, requestOf, useSigners } from '../../support/saml/provider.ts'
import type { SamlProvider } from '../../support/saml/provider.ts'
import { assertionXml, responseXml, sign, signedResponse } from '../../support/saml/response.ts'
import type { ResponseContent } from '../../support/saml/response.ts'
import { wrapped, wrappings } from '../../support/saml/wrapping.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const minute = 60_000

/** What became of a response: the subject that is accepted, or why the page or the request says that it is not. */
async function outcomeOf(response: Response, requestId: string): Promise<string> {
  const text =
    parse(await response.text())
      .querySelector('main')
      ?.text.replace(/\s+/g, ' ') ?? ''
  if (response.status === 400) return text
  expect(response.status).toBe(303)
  const { answer } = await service.database.prisma.signInRequest.findUniqueOrThrow({ where: { id: requestId } })
  return JSON.stringify(answer)
}

describe.runIf(canIssueCertificates)('a SAML response', () => {
  const signers = useSigners('own', 'next', 'foreign')
  const provider = () => createSamlProvider(service, [signers.own])

  /** Posts what a function makes of the content of an acceptable response. */
  async function attack(make: (content: ResponseContent, present: SamlProvider) => string): Promise<string> {
    const present = await provider()
    const id = await requestOf(service, present)
    return outcomeOf(await post(present.acsUrl, make(contentFor(service, present, id), present)), id)
  }
  const accepted = '"subject":"ada-1"'

  test('is accepted if its assertion is signed', async () => {
    expect(await attack((content) => signedResponse(content, signers.own))).toContain(accepted)
    expect(await attack((content) => sign(signedResponse(content, signers.own), 'Response', signers.own))).toContain(accepted)
    expect(await attack((content) => signedResponse({ ...content, destination: null }, signers.own))).toContain(accepted)
  })

  test('may be signed with either of two certificates', async () => {
    const rotating = await createSamlProvider(service, [signers.own, signers.next])
    for (const signer of [signers.own, signers.next]) {
      const id = await requestOf(service, rotating)
      expect(await outcomeOf(await post(rotating.acsUrl, signedResponse(contentFor(service, rotating, id), signer)), id)).toContain(
        accepted,
      )
    }
  })

  const changed = (change: Partial<ResponseContent>) => (content: ResponseContent) => signedResponse({ ...content, ...change }, signers.own)
  const edited = (from: string, to: string) => (content: ResponseContent) => {
    const xml = signedResponse(content, signers.own)
    expect(xml).toContain(from)
    return xml.replace(from, to)
  }
  const changedAfter = 'was changed after it was signed'
  const otherCertificate = 'The signature is not valid: it was not made with a certificate in the settings of the provider'
  const bothSigned = (content: ResponseContent) => sign(signedResponse(content, signers.own), 'Response', signers.own)

  const attacks: Record<string, [make: (content: ResponseContent, present: SamlProvider) => string, reason: string]> = {
    'is not signed': [(content) => responseXml(content, assertionXml(content)), 'The assertion is not signed'],
    'is signed without its assertion': [
      (content) => sign(responseXml(content, assertionXml(content)), 'Response', signers.own),
      'The assertion is not signed',
    ],
    'was edited': [edited('>ada-1<', '>mallory<'), changedAfter],
    'was edited outside of the signed assertion': [
      (content) => bothSigned(content).replace('<samlp:Status>', '<samlp:Status >').replace('ID="_response', 'Consent="c" ID="_response'),
      changedAfter,
    ],
    'has an attribute added': [
      edited('</saml:AttributeStatement>', '<saml:Attribute Name="groups"/></saml:AttributeStatement>'),
      changedAfter,
    ],
    'has its conditions removed': [
      (content) => signedResponse(content, signers.own).replace(/<saml:Conditions.*<\/saml:Conditions>/, ''),
      changedAfter,
    ],
    'is signed with another certificate, which it contains': [(content) => signedResponse(content, signers.foreign), otherCertificate],
    'is signed with another certificate under that of the provider': [
      (content) => signedResponse(content, signers.foreign).replace(signers.foreign.certificate, signers.own.certificate),
      otherCertificate,
    ],
    'is signed with SHA-1': [(content) => signedResponse(content, signers.own, { hash: 'sha1' }), 'SHA-1'],
    'is signed with SHA-1 itself, and its assertion is not': [
      (content) => sign(signedResponse(content, signers.own), 'Response', signers.own, { hash: 'sha1' }),
      'SHA-1',
    ],
    'claims a signature by HMAC with the certificate': [
      edited('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#hmac-sha256'),
      'SignatureMethod that is not accepted',
    ],
    'has a transform of its own': [
      edited('<ds:Transforms>', '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>'),
      'transforms that are not accepted',
    ],
    'has a comment in the NameID': [edited('>ada-1<', '>ada-1<!-- -->.evil<'), 'comments'],
    'has a processing instruction in the NameID': [edited('>ada-1<', '>ada-1<?x?>.evil<'), 'processing instructions'],
    'has two assertions': [
      (content) =>
        responseXml(content, sign(assertionXml(content), 'Assertion', signers.own) + assertionXml({ ...content, nameId: 'mallory' })),
      'exactly one assertion, and contains 2',
    ],
    'has two signed assertions': [
      (content) => {
        const [first, second] = ['ada-1', 'mallory'].map((nameId) => sign(assertionXml({ ...content, nameId }), 'Assertion', signers.own))
        return responseXml(content, `${first}${second}`)
      },
      'exactly one assertion, and contains 2',
    ],
    'has no assertion': [(content) => responseXml(content, ''), 'exactly one assertion, and contains 0'],
    'has an encrypted assertion': [
      (content) => responseXml(content, '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
      'The assertion is encrypted, which is not supported',
    ],
    'reports a failure': [(content) => responseXml({ ...content, status: 'Requester' }, ''), 'reports that sign-in failed (Requester)'],
    'is for another audience': [changed({ audience: 'https://other.example' }), 'The Audience of the assertion is “https://other.example”'],
    'is for another recipient': [
      changed({ recipient: 'https://other.example' }),
      'The Recipient of the assertion is “https://other.example”',
    ],
    'is for another destination': [changed({ destination: 'https://other.example' }), 'The Destination of the response is'],
    'is of another issuer': [changed({ issuer: 'https://other.example' }), 'The Issuer of the response is “https://other.example”'],
    'has an assertion of another issuer': [
      (content) => responseXml(content, sign(assertionXml({ ...content, issuer: 'https://other.example' }), 'Assertion', signers.own)),
      'The Issuer of the assertion is “https://other.example”',
    ],
    'answers no request': [changed({ inResponseTo: null }), 'does not belong to a request (InResponseTo is missing)'],
    'answers an unknown request': [changed({ inResponseTo: `_${'0'.repeat(32)}` }), 'does not belong to an open request'],
    'has an assertion that answers another request': [
      (content) => responseXml(content, sign(assertionXml({ ...content, inResponseTo: '_other' }), 'Assertion', signers.own)),
      'The InResponseTo of the assertion is “_other”',
    ],
    'has an assertion that answers no request': [
      (content) => responseXml(content, sign(assertionXml({ ...content, inResponseTo: null }), 'Assertion', signers.own)),
      'The InResponseTo of the assertion is missing',
    ],
    'does not expire': [changed({ expires: null }), 'does not say when it expires (NotOnOrAfter is missing)'],
    'has expired': [changed({ expires: -2 * minute }), 'The assertion has expired (NotOnOrAfter)'],
    'is not yet valid': [changed({ notBefore: 2 * minute }), 'The assertion is not yet valid (NotBefore)'],
    'has a transient NameID': [changed({ nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }), 'The NameID is transient'],
    'has an empty NameID': [changed({ nameId: '' }), 'The NameID must have'],
    'has a document type': [(content) => `<!DOCTYPE a>${signedResponse(content, signers.own)}`, 'document type declaration'],
    'expands entities': [
      (content) => `<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${signedResponse(content, signers.own).replace('ada-1', '&b;')}`,
      'document type declaration',
    ],
    'uses an entity that is not declared': [edited('ada-1', '&b;'), 'not well-formed'],
    'contains a NUL': [edited('ada-1', 'a&#0;b'), 'characters that are not allowed'],
    'has thousands of elements within each other': [
      (content) => signedResponse(content, signers.own).replace('ada-1', '<a>'.repeat(5000) + '</a>'.repeat(5000)),
      'more than 30 elements within each other',
    ],
    'has a tag with a long name and no end': [
      (content) => `${signedResponse(content, signers.own)}<${'a'.repeat(200_000)}`,
      'not well-formed',
    ],
    'contains a processing instruction that looks like a declaration': [
      edited('ada-1', 'ada<?xml version="1.0"?>-1'),
      'comments or processing instructions',
    ],
    'is larger than 256 kB': [(content) => signedResponse({ ...content, nameId: 'x'.repeat(300_000) }, signers.own), 'larger than 256 kB'],
    'is not XML': [() => 'Hello', 'did not send a SAML 2.0 response'],
    'is another message': [
      () => '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>',
      'did not send a SAML 2.0 response',
    ],
    'contains an identifier twice': [
      (content) => {
        const xml = signedResponse(content, signers.own)
        return xml.replace('<samlp:Status>', `<samlp:Status ID="${/_assertion\d+/.exec(xml)?.[0]}">`)
      },
      'contains an identifier twice',
    ],
  }

  test.each(Object.entries(attacks))('is refused if it %s', async (_, [make, reason]) => {
    const outcome = await attack(make)
    expect(outcome).toContain(reason)
    expect(outcome).not.toContain('"subject"')
  })

  test.each(Object.entries(wrappings))('is refused after signature wrapping of the form %s', async (_, wrap) => {
    const outcome = await attack((content) => {
      const xml = wrapped(bothSigned(content), wrap)
      expect(xml).toContain('mallory')
      return xml
    })
    expect(outcome).toMatch(/exactly one assertion|signatures that sign neither|signature (?:contains|does not refer)|identifier twice/)
    expect(outcome).not.toContain('"subject"')
  })
})
