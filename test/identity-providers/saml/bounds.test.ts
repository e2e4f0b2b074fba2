import { describe, expect, test } from 'vitest'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { contentFor, createSamlProvider, post, requestOf, useSigners } from '../../support/saml/provider.ts'
import { sign, signedResponse } from '../../support/saml/response.ts'
import type { ResponseContent } from '../../support/saml/response.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

const list = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index))

describe.runIf(canIssueCertificates)('a SAML response', () => {
  const signers = useSigners('own')

  /** Posts a response, and returns what is stored with its request. */
  async function postResponse(make: (content: ResponseContent) => string, groupsClaim: string | null = null): Promise<string> {
    const provider = await createSamlProvider(service, [signers.own], { groupsClaim })
    const id = await requestOf(service, provider)
    expect((await post(provider.acsUrl, make(contentFor(service, provider, id)))).status).toBe(303)
    return JSON.stringify((await service.database.prisma.signInRequest.findUniqueOrThrow({ where: { id } })).answer)
  }

  test.each([200, 700])('with %i groups is accepted, in the form of Okta and of Entra ID', async (count) => {
    const groups = list(count, (index) => `group ${index}`)
    const withTypes = (xml: string) => {
      const type = 'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string"'
      return xml.replaceAll('<saml:AttributeValue>', `<saml:AttributeValue ${type}>`)
    }
    for (const change of [(xml: string) => xml, withTypes]) {
      const make = (content: ResponseContent) => {
        const xml = change(
          signedResponse({ ...content, attributes: { groups } }, signers.own).replace(/<ds:Signature .*<\/ds:Signature>/, ''),
        )
        return sign(xml, 'Assertion', signers.own)
      }
      const stored = await postResponse(make, 'groups')
      expect(stored).toContain(`"groups":${JSON.stringify(groups)}`)
    }
  })

  const into = (part: string) => (content: ResponseContent) =>
    signedResponse(content, signers.own).replace('<samlp:Status>', `<samlp:Extensions>${part}</samlp:Extensions><samlp:Status>`)

  test.each<[name: string, make: (content: ResponseContent) => string, reason: string]>([
    ['60,000 empty elements', into('<a/>'.repeat(60_000)), 'more than 5000 elements and attributes'],
    [
      '5,000 attributes of one element',
      into(`<a${list(5000, (index) => ` a${index}=""`).join('')}/>`),
      'more than 5000 elements and attributes',
    ],
    [
      '1,000 elements with 5 attributes each',
      into('<a a="" b="" c=\'\' d = "" e=""/>'.repeat(1000)),
      'more than 5000 elements and attributes',
    ],
    ['10,000 sections of text', into('<![CDATA[]]>'.repeat(10_000)), 'more than 5000 elements and attributes'],
    [
      'elements with 200 names',
      into(list(200, (index) => `<a${index}>x</a${index}>`).join('')),
      'more than 100 different names of elements',
    ],
    ['200 namespaces', into(`<a${list(200, (index) => ` xmlns:a${index}="u"`).join('')}/>`), 'more than 100 namespace declarations'],
    [
      '200 namespaces in nested elements',
      into(`${list(20, (each) => `<a${list(10, (index) => ` xmlns:a${each}_${index}="u"`).join('')}>`).join('')}${'</a>'.repeat(20)}`),
      'more than 100 namespace declarations',
    ],
    ['a long namespace', into(`<a xmlns="${'u'.repeat(1000)}"/>`), 'a namespace declaration with more than 300 characters'],
  ])('is refused if it has %s', async (_, make, reason) => {
    expect(await postResponse(make)).toContain(`{"error":"The response has ${reason}`)
  })
})
