import { beforeEach, describe, expect, test } from 'vitest'
import { findProvider } from '../../../schema/identity-providers/stored-provider.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { createScene, fields, listed, remove, update } from '../../support/identity-providers/settings.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { providerMetadata } from '../../support/saml/metadata.ts'
import { createSigner } from '../../support/saml/signer.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database } = service
const ports = { database, deriveSecret: secretDeriver(secretKey) }
const create = `mutation ($input: CreateIdentityProviderInput!) { createIdentityProvider(input: $input) { identityProvider { ${fields} } } }`

let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene(service)
})
const change = (id: string, input: object) => executeAs(service, scene.session, update, { input: { id, ...input } })
const refusalOf = async (input: object) =>
  (
    await executeAs(service, scene.session, create, {
      input: { team: scene.team.slug, kind: 'OIDC', name: 'Acme', clientId: '1', ...input },
    })
  ).refusal?.details.errors

test('an OpenID provider is created with an encrypted secret, listed without it, changed and deleted', async () => {
  const { team, session, issuer } = scene
  const input = { team: team.slug, kind: 'OIDC', name: 'Acme', issuer, clientId: 'client-1', clientSecret: ' s3cret ', jitRole: 'MEMBER' }
  const { data } = await executeAs(service, session, create, { input })
  const { identityProvider: created } = data.createIdentityProvider
  const { providerId: id } = created
  expect(created).toEqual({
    providerId: id,
    kind: 'OIDC',
    name: 'Acme',
    issuer,
    clientId: 'client-1',
    hasClientSecret: true,
    groupsClaim: null,
    jitRole: 'MEMBER',
    redirectUri: `https://accounts.example/sign-in/callback/${id}`,
    acsUrl: null,
    entityId: null,
    linkedUsers: 0,
    testedAt: null,
    disabledAt: null,
    certificates: [],
  })
  expect(await findProvider(ports, id)).toMatchObject({ clientSecret: 's3cret', teamSlug: team.slug })
  const list = await executeAs(service, session, listed, { team: team.slug })
  expect(list.data.team).toEqual({
    signInUrl: `https://accounts.example/sign-in/${team.slug}`,
    identityProviders: [{ id: expect.any(String), ...created }],
  })
  // By its global id, too.
  const [{ id: globalId }] = list.data.team.identityProviders
  const changed = await change(globalId, { groupsClaim: 'groups', jitRole: null, clientSecret: null })
  expect(changed.data.updateIdentityProvider.identityProvider).toEqual({
    ...created,
    groupsClaim: 'groups',
    jitRole: null,
    hasClientSecret: false,
  })
  await executeAs(service, session, remove, { id })
  expect((await executeAs(service, session, listed, { team: team.slug })).data.team.identityProviders).toEqual([])
})

describe('the issuer', () => {
  test.each(['/.well-known/openid-configuration', '/', ''])(
    'is stored as its metadata writes it when it is entered with “%s”',
    async (end) => {
      const { team, session, issuer } = scene
      const input = { team: team.slug, kind: 'OIDC', name: 'Acme', issuer: issuer + end, clientId: '1' }
      const { data } = await executeAs(service, session, create, { input })
      expect(data.createIdentityProvider.identityProvider).toMatchObject({ issuer, hasClientSecret: false })
    },
  )

  test('is refused if its metadata cannot be read or is that of another issuer', async () => {
    const before = await readAllRows(service)
    const { origin, pathname } = new URL(scene.issuer)
    const refused = async (issuer: string) => (await refusalOf({ issuer }))?.['issuer']?.[0]
    expect(await refused('http://127.0.0.1:9')).toBe(
      'The metadata at http://127.0.0.1:9/.well-known/openid-configuration cannot be used. The connection was refused.',
    )
    expect(await refused(`${service.url}/sign-in`)).toMatch(/cannot be used\. The response has the status 404\.$/)
    // Paths are compared as they are written, but the server takes both for one.
    expect(await refused(`${origin}/x/..${pathname}`)).toBe(
      `The metadata at ${origin}/x/..${pathname}/.well-known/openid-configuration is that of another issuer: ${scene.issuer}.`,
    )
    expect(await readAllRows(service)).toEqual(before)
  })
})

test('a SAML provider is created from its metadata and tested again after another certificate', async ({ skip }) => {
  if (!canIssueCertificates) return skip('OpenSSL is missing')
  const { team, session } = scene
  const signer = createSigner({ commonName: 'Acme signing' })
  const metadata = providerMetadata({ certificates: [signer.certificate] })
  const input = { team: team.slug, kind: 'SAML', name: 'Acme', metadata, groupsClaim: 'groups' }
  const { data } = await executeAs(service, session, create, { input })
  const { providerId: id, ...created } = data.createIdentityProvider.identityProvider
  expect(created).toMatchObject({
    kind: 'SAML',
    issuer: 'https://idp.example/metadata',
    clientId: null,
    redirectUri: null,
    acsUrl: `https://accounts.example/sign-in/saml/${id}`,
    entityId: `https://accounts.example/sign-in/saml/${id}/metadata`,
    certificates: [{ subject: 'Acme signing' }],
  })
  await database.prisma.identityProvider.update({ where: { id }, data: { testedAt: new Date() } })
  const testedAfter = async (changes: object) => (await change(id, changes)).data.updateIdentityProvider.identityProvider.testedAt !== null
  expect(await testedAfter({ metadata })).toBe(true)
  const certificates = [signer.certificate, createSigner().certificate]
  expect(await testedAfter({ metadata: providerMetadata({ certificates }) })).toBe(false)
  expect((await change(id, { clientSecret: 'x' })).refusal?.details.errors).toEqual({
    clientSecret: ['The client secret field is not a setting of SAML.'],
  })
})

test('a team has at most five providers, also if six are created at the same time', async () => {
  const { issuer } = scene
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => refusalOf({ issuer })))
  expect(outcomes.filter(Boolean)).toEqual([{ name: ['A team can have at most 5 identity providers. Delete one first.'] }])
})
