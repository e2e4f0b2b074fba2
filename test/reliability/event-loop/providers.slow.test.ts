import { beforeAll, describe, expect, test } from 'vitest'
import { enter } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { queryInSession } from '../../support/graphql/session-request.ts'
import { json } from '../../support/identities/ci-issuer.ts'
import { metadataOf, useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { addProvider, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { useMeasuredService } from '../../support/processes/measured/measured-service.ts'
import { providerMetadata } from '../../support/saml/metadata.ts'
import { contentFor, createSamlProvider, post, requestOf, useSigners } from '../../support/saml/provider.ts'
import { sign, signedResponse } from '../../support/saml/response.ts'
import type { ResponseContent } from '../../support/saml/response.ts'

// What the identity provider of a team sends: anyone can run one.

const service = useMeasuredService({ OUTGOING_ALLOWED_HOSTS: '127.0.0.1', RATE_LIMIT_API: '0', RATE_LIMIT_SIGN_IN_ADDRESS: '0' })
const { database } = service
const list = <Value>(count: number, each: (index: number) => Value) => Array.from({ length: count }, (_, index) => each(index))

describe.runIf(canIssueCertificates)('SAML', () => {
  const signers = useSigners('own')
  const into = (part: string) => (content: ResponseContent) =>
    signedResponse(content, signers.own).replace('<samlp:Status>', `<samlp:Extensions>${part}</samlp:Extensions><samlp:Status>`)
  const signedAttributes = (attributes: ResponseContent['attributes']) => (content: ResponseContent) =>
    signedResponse({ ...content, attributes }, signers.own)

  test.each<[name: string, make: (content: ResponseContent) => string]>([
    ['60,000 empty elements', into('<a/>'.repeat(60_000))],
    ['as many elements as allowed', into('<a/>'.repeat(4900))],
    ['as many attributes as allowed', into(`<a${list(4900, (index) => ` a${index}=""`).join('')}/>`)],
    ['a text of 250 kB', into('x'.repeat(180_000))],
    ['250 kB of entities', into('&lt;'.repeat(45_000))],
    ['nested elements', into(`${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`)],
    ['tags that do not end', into('<a '.repeat(60_000))],
    ['as many groups as allowed', signedAttributes({ groups: list(2200, (index) => `group ${index} ${'x'.repeat(20)}`) })],
    ['an address of at signs', signedAttributes({ email: ['@'.repeat(150_000)], name: ['@ '.repeat(20_000)] })],
    [
      'namespaces of a signed element',
      (content) => sign(into(`<a${list(90, (index) => ` xmlns:a${index}="u"`).join('')}/>`)(content), 'Response', signers.own),
    ],
    [
      'signatures',
      (content) => into(/<ds:Signature .*<\/ds:Signature>/s.exec(signedResponse(content, signers.own))?.[0].repeat(60) ?? '')(content),
    ],
  ])('a response with %s does not block the process', async (_, make) => {
    const provider = await createSamlProvider(service, [signers.own], { groupsClaim: 'groups' })
    const { status } = await service.expectShortTurns(async () => {
      const id = await requestOf(service, provider)
      return post(provider.acsUrl, make(contentFor(service, provider, id)))
    })
    expect([303, 400]).toContain(status)
  })

  test('metadata does not block the process', async () => {
    const team = await createTeam(database)
    const owner = await createPerson(database)
    await join(database, team, owner, 'owner')
    const browser = new Browser(service.url)
    await enter(browser, owner)
    const query = `mutation ($input: CreateIdentityProviderInput!) { createIdentityProvider(input: $input) { identityProvider { id } errors { __typename } } }`
    const create = (metadata: string) =>
      queryInSession(browser, query, { input: { team: team.slug, kind: 'SAML', name: 'Acme', metadata: metadata.slice(0, 95_000) } })
    const good = providerMetadata({ certificates: [signers.own.certificate] })
    for (const more of [
      '<a/>'.repeat(4800),
      `<a${list(4800, (index) => ` a${index}=""`).join('')}/>`,
      '<a '.repeat(30_000),
      '&lt;'.repeat(20_000),
      '<!---->'.repeat(4800),
    ]) {
      const { data, errors } = await service.expectShortTurns(() => create(good.replace('<md:IDPSSO', `${more}<md:IDPSSO`)))
      expect([data.createIdentityProvider.errors.length <= 1, errors]).toEqual([true, undefined])
    }
  })
})

describe('an OpenID provider', () => {
  const providers = useProviders(service.clock.now)
  let provider: TestProvider
  let providerId = ''
  beforeAll(async () => {
    provider = await providers.create()
    ;({ id: providerId } = await addProvider(database, await createTeam(database), provider))
  })

  /** Almost the 256 kB that are read of a response. */
  const most = 250_000
  const nested: unknown = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`)
  const claims: Record<string, Record<string, unknown>> = {
    'at signs in a name': { name: '@'.repeat(180_000), email: '@'.repeat(1000) },
    'blanks in a name': { name: `a${' '.repeat(180_000)}a`, given_name: 'é'.repeat(2000) },
    'thousands of claims': Object.fromEntries(list(14_000, (index) => [`c${index}`, index])),
    'thousands of groups': { groups: list(16_000, (index) => `g${index}`), roles: list(4000, (index) => `g${index}`) },
    'nested lists': { groups: nested },
  }

  test.each(Object.keys(claims))('that states %s in its ID token and at UserInfo does not block the process', async (name) => {
    const stated = claims[name] ?? {}
    provider.idToken = (own) => provider.sign({ ...own, ...stated })
    provider.userInfo = { sub: 'subject-1', ...stated }
    const page = await service.expectShortTurns(() => signInAtProvider(new Browser(service.url), providerId))
    expect(page.status).toBeLessThan(500)
  })

  test('that sends header members, signatures and tokens of any length does not block the process', async () => {
    provider.userInfo = null
    const tokens = [
      (own: Record<string, unknown>) => provider.sign(own, { x: 'x'.repeat(100_000) }),
      async (own: Record<string, unknown>) => `${await provider.sign(own)}${'A'.repeat(150_000)}`,
      async () => '.'.repeat(most),
      async () => `${'e30'.repeat(60_000)}.e30.x`,
    ]
    for (const idToken of tokens) {
      provider.idToken = idToken
      const page = await service.expectShortTurns(() => signInAtProvider(new Browser(service.url), providerId))
      expect(page.status).toBeLessThan(500)
    }
  })

  test('that publishes thousands of keys does not block the process', async () => {
    const { publicJwk } = provider.key
    const keySets = [
      list(550, (index) => ({ ...publicJwk, kid: `k${index}` })),
      list(550, () => publicJwk),
      list(80_000, () => ({})),
      [{ ...publicJwk, n: 'A'.repeat(200_000) }],
      [{ ...publicJwk, n: `_${'_'.repeat(200_000)}`, e: '_'.repeat(1000) }],
    ]
    for (const keys of keySets) {
      const other = await providers.create()
      other.keys = json({ keys })
      const { id } = await addProvider(database, await createTeam(database), other)
      const page = await service.expectShortTurns(() => signInAtProvider(new Browser(service.url), id))
      expect(page.status).toBeLessThan(500)
    }
  })

  test('whose metadata is large does not block the process', async () => {
    const texts = [
      `[${'0,'.repeat(100_000)}0]`,
      JSON.stringify(Object.fromEntries(list(16_000, (index) => [`a${index}`, 0]))),
      '['.repeat(120_000) + ']'.repeat(120_000),
      `"${'\\u0061'.repeat(40_000)}"`,
    ]
    for (const text of texts) {
      const other = await providers.create()
      const metadata = JSON.stringify({ ...metadataOf(other.issuer), more: 0 }).replace('"more":0', () => `"more":${text}`)
      other.metadata = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(metadata)
      const { id } = await addProvider(database, await createTeam(database), other)
      const page = await service.expectShortTurns(() => new Browser(service.url).open(`/sign-in/start/${id}`))
      expect(page.status).toBeLessThan(500)
    }
  })
})
