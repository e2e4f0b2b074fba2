import { inflateRawSync } from 'node:zlib'
import { parse } from 'node-html-parser'
import { describe, expect, test } from 'vitest'
import type { ProtocolRequest } from '../../../schema/identity-providers/protocol.ts'
import { saml } from '../../../schema/identity-providers/saml/saml.ts'
import { findProvider } from '../../../schema/identity-providers/stored-provider.ts'
import { createTeam } from '../../support/data/team.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { contentFor, createSamlProvider, post, requestOf, useSigners } from '../../support/saml/provider.ts'
import { signedResponse } from '../../support/saml/response.ts'
import { anonymous, contextOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const minute = 60_000

const textOf = async (response: Response) =>
  parse(await response.text())
    .querySelector('main')
    ?.text.replace(/\s+/g, ' ') ?? ''
const answerTo = async (id: string) => (await service.database.prisma.signInRequest.findUniqueOrThrow({ where: { id } })).answer

describe.runIf(canIssueCertificates)('the endpoints of a SAML provider', () => {
  const signers = useSigners('own')
  const provider = () => createSamlProvider(service, [signers.own])

  test('describe this service to the provider', async () => {
    const { id, acsUrl } = await provider()
    const response = await fetch(`${acsUrl}/metadata`)
    expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml; charset=utf-8')
    const xml = await response.text()
    expect(xml).toContain(`entityID="${acsUrl}/metadata" ID="_${id}"`)
    expect(xml).toContain('AuthnRequestsSigned="false" WantAssertionsSigned="true"')
    expect(xml).toContain(`Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${acsUrl}"`)
    expect(await (await fetch(`${acsUrl}/metadata`)).text()).toBe(xml)
  })

  test('exist for SAML providers only, and accept one method each', async () => {
    const team = await createTeam(service.database)
    const oidc = { teamId: team.id, kind: 'oidc' as const, name: 'Other', issuer: 'https://op.example', clientId: '1' }
    const other = await service.database.prisma.identityProvider.create({ data: oidc })
    for (const id of [other.id, '7d3a6d0c-6f2b-4a43-9d9e-000000000000', 'acme', '%00']) {
      expect((await fetch(`${service.url}/sign-in/saml/${id}/metadata`)).status).toBe(404)
      expect((await post(`${service.url}/sign-in/saml/${id}`, '<a/>')).status).toBe(404)
    }
    const { acsUrl } = await provider()
    expect((await fetch(acsUrl)).status).toBe(405)
    expect((await fetch(`${acsUrl}/metadata`, { method: 'POST' })).status).toBe(405)
  })

  const requestUrl = async (request: Partial<ProtocolRequest>) => {
    const stored = await findProvider(contextOf(service, anonymous), (await provider()).id)
    if (!stored) throw new Error('no provider')
    const full = {
      id: `_${'a'.repeat(32)}`,
      createdAt: service.clock.now(),
      forceAuthentication: false,
      loginHint: null,
      storedResponse: null,
    }
    const url = new URL(await saml.requestUrl({ ...contextOf(service, anonymous), authUrl: service.url }, stored, { ...full, ...request }))
    return { stored, url, xml: inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString() }
  }

  test('are named in a request, which is sent to the URL of the metadata', async () => {
    const { stored, url, xml } = await requestUrl({})
    expect(`${url.origin}${url.pathname}`).toBe('https://idp.example/sso')
    expect([...url.searchParams.keys()]).toEqual(['tenant', 'SAMLRequest'])
    expect(xml).toContain(`ID="_${'a'.repeat(32)}"`)
    expect(xml).toContain(`AssertionConsumerServiceURL="${service.url}/sign-in/saml/${stored.id}"`)
    expect(xml).toContain(
      `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${service.url}/sign-in/saml/${stored.id}/metadata<`,
    )
    expect(xml).not.toMatch(/ForceAuthn|RequestedAuthnContext|Format=/)
  })

  test('are named in a request that demands a new authentication and suggests an account', async () => {
    const { url, xml } = await requestUrl({ forceAuthentication: true, loginHint: 'ada@example.com' })
    expect(xml).toContain('ForceAuthn="true"')
    expect(url.searchParams.get('login_hint')).toBe('ada@example.com')
  })

  test('keep what a response states, and send the browser to the page that reads its cookie', async () => {
    const present = await provider()
    const id = await requestOf(service, present)
    const response = await post(present.acsUrl, signedResponse(contentFor(service, present, id), signers.own), { RelayState: '/x' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/sign-in/callback/${present.id}?state=${id}`)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await answerTo(id)).toEqual({
      assertion: {
        subject: 'ada-1',
        issuer: '',
        email: 'ada@example.com',
        isEmailVerified: false,
        name: null,
        groups: null,
        claims: {
          NameID: 'ada-1',
          'NameID Format': 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
          email: 'ada@example.com',
          auth_time: expect.any(Number),
        },
      },
    })
  })

  test('accept one response to a request, also of several at once', async () => {
    const present = await provider()
    const id = await requestOf(service, present)
    const xml = signedResponse(contentFor(service, present, id), signers.own)
    const responses = await Promise.all([1, 2, 3, 4].map(() => post(present.acsUrl, xml)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400, 400, 400])
    expect(await textOf(await post(present.acsUrl, xml))).toContain('does not belong to an open request')
  })

  test('store why a response is refused that is malformed, and accept no other one', async () => {
    const present = await provider()
    const id = await requestOf(service, present)
    const xml = signedResponse(contentFor(service, present, id), signers.own)
    expect((await post(present.acsUrl, `${xml}<`)).status).toBe(303)
    expect(await answerTo(id)).toEqual({ error: 'The response is not well-formed XML.' })
    expect(await textOf(await post(present.acsUrl, xml))).toContain('does not belong to an open request')
  })

  test('refuse a response that answers no open request before it is parsed', async () => {
    const { acsUrl } = await provider()
    const start = '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" Version="2.0"'
    const refusal = async (xml: string) => textOf(await post(acsUrl, xml))
    expect(await refusal(`${start} InResponseTo="_${'0'.repeat(32)}"><`)).toContain('does not belong to an open request')
    expect(await refusal(`${start}><`)).toContain('InResponseTo is missing')
    expect(await refusal(`${start} a="${'x'.repeat(10_000)}" InResponseTo="_${'0'.repeat(32)}"><`)).toContain('InResponseTo is missing')
    expect(await refusal(`${' '.repeat(100_000)}${start}><`)).toContain('did not send a SAML 2.0 response')
  })

  test('accept no response to a request that expired, was answered, or was sent to another provider', async () => {
    const present = await provider()
    const [expired, answered, foreign] = await Promise.all([
      requestOf(service, present),
      requestOf(service, present),
      requestOf(service, await provider()),
    ])
    const { signInRequest } = service.database.prisma
    await signInRequest.update({ where: { id: expired }, data: { expiresAt: service.clock.now() } })
    await signInRequest.update({ where: { id: answered }, data: { answeredAt: service.clock.now() } })
    for (const id of [expired, answered, foreign]) {
      const response = await post(present.acsUrl, signedResponse(contentFor(service, present, id), signers.own))
      expect(response.status).toBe(400)
      expect(await textOf(response)).toContain('does not belong to an open request')
      expect(await answerTo(id)).toBeNull()
    }
  })

  test('refuse a form that contains no response in base64', async () => {
    const { acsUrl } = await provider()
    const send = (body: URLSearchParams) => fetch(acsUrl, { method: 'POST', body, headers: { accept: 'text/html' } })
    const reasons = await Promise.all(
      [
        [],
        [['SAMLResponse', '']],
        [['SAMLResponse', '<xml/>']],
        [['SAMLResponse', 'AAA']],
        [['SAMLResponse', '/////w==']],
        [
          ['SAMLResponse', 'PA=='],
          ['SAMLResponse', 'PA=='],
        ],
      ].map(async (pairs) => textOf(await send(new URLSearchParams(pairs)))),
    )
    const missing = 'The parameter SAMLResponse is missing'
    const expected = [missing, missing, 'not encoded in base64', 'not encoded in base64', 'not encoded in UTF-8', missing]
    expect(reasons.map((reason, index) => reason.includes(expected[index] ?? '-'))).toEqual(expected.map(() => true))
    const huge = await send(new URLSearchParams({ SAMLResponse: 'A'.repeat(1_000_000) }))
    expect(huge.status).toBe(413)
    const many = await send(new URLSearchParams(Array.from({ length: 100 }, (_, index) => [`p${index}`, '1'])))
    expect(many.status).toBe(413)
    const json = await fetch(acsUrl, { method: 'POST', body: '{"SAMLResponse":{}}', headers: { 'content-type': 'application/json' } })
    expect(json.status).toBe(400)
  })

  test('accept clocks that differ by up to a minute', async () => {
    const present = await provider()
    for (const change of [{ expires: -0.9 * minute }, { notBefore: 0.9 * minute }]) {
      const id = await requestOf(service, present)
      await post(present.acsUrl, signedResponse({ ...contentFor(service, present, id), ...change }, signers.own))
      expect(await answerTo(id)).toMatchObject({ assertion: { subject: 'ada-1' } })
    }
  })

  test('require a new authentication for a confirmation', async () => {
    const present = await provider()
    const answered = async (authenticated: number) => {
      const id = await requestOf(service, present, { purpose: 'confirm' })
      await post(present.acsUrl, signedResponse({ ...contentFor(service, present, id), authenticated }, signers.own))
      return JSON.stringify(await answerTo(id))
    }
    expect(await answered(0)).toContain('"subject":"ada-1"')
    expect(await answered(-60 * minute)).toContain('did not ask the user to authenticate again')
  })
})
