import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser/browser.ts'
import { personAtProvider } from '../support/identity-providers/person-at-provider.ts'
import { useProviders } from '../support/identity-providers/provider.ts'
import type { TestProvider } from '../support/identity-providers/provider.ts'
import { addressAtProvider, answerOf } from '../support/identity-providers/team-provider.ts'
import { canIssueCertificates } from '../support/postgres/certificates.ts'
import { useOtlpReceiver } from '../support/processes/otlp-receiver.ts'
import { contentFor, createSamlProvider, requestIdOf, useSigners } from '../support/saml/provider.ts'
import { signedResponse } from '../support/saml/response.ts'
import { addSecret, secretsInLogs } from '../support/service/secrets/secrets-in-logs.ts'
import { useService } from '../support/service/service.ts'
import { useTracer } from '../support/service/tracer.ts'
import { waitFor } from '../support/service/wait.ts'

const collector = useOtlpReceiver()
const service = useService({ tracer: useTracer(collector.url) })
const providers = useProviders(service.clock.now)

/** The kind of the span of a request. */
const server = 2

/** Checks that neither the log, the spans nor the pages contain one of the values. */
async function expectNowhere(values: readonly (string | null)[], pages: readonly string[]): Promise<void> {
  const secrets = values.map((value) => value ?? '')
  expect(secrets.every(({ length }) => length >= 8)).toBe(true)
  // The spans of a request are sent after its response, in their order.
  const traceId = randomBytes(16).toString('hex')
  await fetch(`${service.url}/sign-in`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
  await waitFor(() => collector.spans.some((span) => span.traceId === traceId && span.kind === server))
  const spans = JSON.stringify(collector.spans)
  expect(spans).toContain('/sign-in/')
  for (const value of secrets) {
    addSecret(value)
    expect(spans).not.toContain(value)
    for (const page of pages) expect(page).not.toContain(value)
  }
  expect(secretsInLogs()).toEqual([])
}

const refusals: readonly [what: string, refuse: (provider: TestProvider) => void][] = [
  ['an ID token for another client', (provider) => void (provider.idToken = (claims) => provider.sign({ ...claims, aud: 'other' }))],
  [
    'an ID token with an invalid signature',
    (provider) => {
      const { idToken } = provider
      provider.idToken = async (claims) => `${(await idToken(claims)).slice(0, -20)}${'A'.repeat(20)}`
    },
  ],
  [
    'an ID token that is none',
    (provider) => void (provider.idToken = async (claims) => (await provider.sign(claims)).replaceAll('.', '_')),
  ],
  [
    'an error at the token endpoint',
    (provider) =>
      void (provider.token = (response) =>
        response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"invalid_grant"}')),
  ],
  ['no JSON at the token endpoint', (provider) => void (provider.token = (response) => response.writeHead(500).end('<p>Error</p>'))],
  [
    'another issuer in the response',
    (provider) => void (provider.response = (parameters) => ({ ...parameters, iss: 'https://other.example' })),
  ],
]

describe('logs, traces and pages contain no part of what an identity provider answers', () => {
  /** Begins a sign-in. Returns the answer of the provider, and the ID tokens that it issues. */
  async function begin() {
    const { provider, row } = await personAtProvider(service, providers)
    const browser = new Browser(service.url)
    const sent = await browser.open(`/sign-in/start/${row.id}`)
    return { provider, row, browser, sent }
  }
  /** Keeps the ID tokens that a provider issues. */
  function issued(provider: TestProvider): string[] {
    const tokens: string[] = []
    const issue = provider.idToken.bind(provider)
    provider.idToken = async (claims) => {
      const token = await issue(claims)
      tokens.push(token)
      return token
    }
    return tokens
  }

  test('that is accepted, used again, or sent without the cookie', async () => {
    const { provider, row, browser, sent } = await begin()
    const tokens = issued(provider)
    const answer = await answerOf(sent)
    const elsewhere = await fetch(answer)
    const unknown = await fetch(`${service.url}/sign-in/callback/unknown${answer.search}`)
    const accepted = await browser.open(answer)
    expect(accepted.url.pathname).toBe('/confirm/account')
    const again = await browser.open(answer)
    expect(await service.database.prisma.session.count({ where: { providerIds: { has: row.id } } })).toBe(1)
    expect(tokens.length).toBe(1)
    const pages = [await elsewhere.text(), await unknown.text(), accepted.root.toString(), again.root.toString()]
    const { searchParams } = answer
    await expectNowhere([searchParams.get('state'), searchParams.get('code'), ...tokens, provider.clientSecret], pages)
  })

  test.each(refusals)('that is refused: %s', async (_, refuse) => {
    const { provider, browser, sent } = await begin()
    refuse(provider)
    const tokens = issued(provider)
    const answer = await answerOf(sent)
    const page = await browser.open(answer)
    expect(page.root.querySelector('h1')?.text).toBe('Sign-in failed')
    const { searchParams } = answer
    await expectNowhere([searchParams.get('state'), searchParams.get('code'), ...tokens, provider.clientSecret], [page.root.toString()])
  })

  describe.runIf(canIssueCertificates)('by SAML', () => {
    const signers = useSigners('own', 'foreign')

    test.each(['accepted', 'refused'] as const)('that is %s', async (outcome) => {
      const signer = outcome === 'accepted' ? signers.own : signers.foreign
      const provider = await createSamlProvider(service, [signers.own])
      const browser = new Browser(service.url)
      const sent = await browser.open(`/sign-in/start/${provider.id}`)
      const state = requestIdOf(addressAtProvider(sent))
      const xml = signedResponse(contentFor(service, provider, state), signer)
      const samlResponse = Buffer.from(xml).toString('base64')
      const post = (path: string) =>
        fetch(service.url + path, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams({ SAMLResponse: samlResponse, RelayState: samlResponse }),
        })
      const posted = await post(`/sign-in/saml/${provider.id}`)
      const unknown = await post('/sign-in/saml/unknown')
      expect([posted.status, unknown.status]).toEqual([303, 404])
      const { url, root } = await browser.open(posted.headers.get('location') ?? '')
      expect(url.pathname).toBe(outcome === 'accepted' ? '/account/teams' : `/sign-in/callback/${provider.id}`)
      const pages = [await posted.text(), await unknown.text(), root.toString()]
      const signature = /<ds:SignatureValue>([^<]*)</.exec(xml)?.[1] ?? ''
      await expectNowhere([samlResponse, encodeURIComponent(samlResponse), signature], pages)
    })
  })
})
