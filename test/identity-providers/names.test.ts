import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser/browser.ts'
import { unique } from '../support/data/team.ts'
import { useProviders } from '../support/identity-providers/provider.ts'
import { addProvider, signInAtProvider } from '../support/identity-providers/team-provider.ts'
import { contentFor, createSamlProvider, post, requestIdOf, useSigners } from '../support/saml/provider.ts'
import { signedResponse } from '../support/saml/response.ts'
import { createDirectory } from '../support/scim/directory.ts'
import { canIssueCertificates } from '../support/postgres/certificates.ts'
import { useService } from '../support/service/service.ts'

// The name of a new account is read in one way from an ID token, an assertion of SAML and a directory.

const service = useService({ hostname: 'localhost' })
const { prisma } = service.database
const providers = useProviders(service.clock.now)
const signers = useSigners('names')

interface Names {
  full?: string
  given?: string
  family?: string
}

const rows: [what: string, names: Names, expected: string][] = [
  ['a full name and its parts', { full: 'Dr. Ada Lovelace', given: 'Ada', family: 'Lovelace' }, 'Dr. Ada Lovelace'],
  ['both parts', { given: 'Ada', family: 'Lovelace' }, 'Ada Lovelace'],
  ['one part', { family: 'Lovelace' }, 'Lovelace'],
  ['an address in place of the name', { full: 'ada@corp.example', given: 'Ada', family: 'Lovelace' }, 'Ada Lovelace'],
  ['an address in place of a part', { given: 'ada@corp.example', family: 'Lovelace' }, 'Lovelace'],
  ['nothing but an address', { full: 'ada@corp.example' }, 'ada.l'],
  ['no name', {}, 'ada.l'],
  ['direction marks', { full: '\u202EAda\u202C \u2066Lovelace\u2069\u200F' }, 'Ada Lovelace'],
  ['control characters and line breaks', { given: 'Ada\u0000\n', family: '\tLove\u0085lace' }, 'Ada Love lace'],
  ['nothing but direction marks', { full: '\u202E\u202C', given: 'Ada' }, 'Ada'],
  ['more than 255 characters', { full: 'a'.repeat(256), given: 'Ada', family: 'Lovelace' }, 'Ada Lovelace'],
  ['joiners that letters and emoji need', { full: 'علی\u200Cرضا 👩\u200D💻' }, 'علی\u200Cرضا 👩\u200D💻'],
]

const nameOf = async (email: string) => (await prisma.user.findUniqueOrThrow({ where: { email } })).name

describe.each(rows)('%s', (_, { full, given, family }, expected) => {
  test('in an ID token', async () => {
    const { team, domain } = await createDirectory(service)
    const provider = await providers.create()
    const row = await addProvider(service.database, team, provider)
    const email = `ada.l@${domain}`
    provider.claims = { sub: unique('subject'), email, name: full, given_name: given, family_name: family }
    await signInAtProvider(new Browser(service.url), row.id)
    expect(await nameOf(email)).toBe(expected)
  })

  // A directory gets an error for a name of more than 255 characters.
  test.runIf((full ?? '').length <= 255)('in a directory', async () => {
    const { domain, send } = await createDirectory(service)
    const email = `ada.l@${domain}`
    // PostgreSQL cannot store a NUL, so that SCIM refuses it in what it keeps.
    const clean = (text: string | undefined) => text?.replaceAll('\0', '')
    const name = { givenName: clean(given), familyName: clean(family) }
    expect((await send('POST', '/Users', { userName: email, displayName: clean(full), name })).status).toBe(201)
    expect(await nameOf(email)).toBe(expected)
  })

  test.runIf(canIssueCertificates)('in an assertion of SAML', async () => {
    const { domain, team } = await createDirectory(service)
    const provider = await createSamlProvider(service, [signers.names], { team })
    const email = `ada.l@${domain}`
    const attributes = Object.entries({ mail: email, displayName: full, givenName: given, sn: family }).flatMap(([key, value]) =>
      // XML has no control characters other than white space.
      value === undefined ? [] : [[key, [value.replaceAll('\0', '').replaceAll('\u0085', ' ')]]],
    )
    const browser = new Browser(service.url)
    const request = requestIdOf((await browser.open(`/sign-in/start/${provider.id}`)).url)
    const content = { ...contentFor(service, provider, request), nameId: unique('ada'), attributes: Object.fromEntries(attributes) }
    const { headers } = await post(provider.acsUrl, signedResponse(content, signers.names))
    await browser.open(headers.get('location') ?? '')
    expect(await nameOf(email)).toBe(expected)
  })
})
