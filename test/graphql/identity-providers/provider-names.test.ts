import { beforeEach, describe, expect, test } from 'vitest'
import { createScene, update } from '../../support/identity-providers/settings.ts'
import { executeWith } from '../../support/oauth/clients/team-client.ts'
import { useService } from '../../support/service/service.ts'

// Names of identity providers, which sign-in pages show: docs/decisions/identity-providers.md#names.

const service = useService()
const { prisma } = service.database
const brand = { brandName: 'Nimbus Ledger' }
const create =
  'mutation ($input: CreateIdentityProviderInput!) { createIdentityProvider(input: $input) { identityProvider { providerId } } }'

let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene(service)
})
const messagesOf = ({ code, messages }: Awaited<ReturnType<typeof executeWith>>) => [code, messages]

const createNamed = async (name: string) => {
  const { team, session, issuer } = scene
  return messagesOf(
    await executeWith(service, session, create, { input: { team: team.slug, kind: 'OIDC', name, issuer, clientId: '1' } }, brand),
  )
}
const refusal = (rule: string) => ['validation_failed', { name: [`The name field must not ${rule}.`] }]
const invisible = refusal('contain invisible characters, or characters that change the direction of text')

describe('the name of an identity provider', () => {
  test.each([
    ['the name of the service', 'Nirnbus Ledger login', refusal('imitate the name of this service, Nimbus Ledger')],
    ['a Latin name with a Cyrillic letter', '\u041ekta', refusal('mix letters of several scripts')],
    ['a right-to-left override', 'Okta \u202egpj', invisible],
    ['a zero-width space', 'Ok\u200bta', invisible],
    ['a public provider with a digit', 'G0ogle', refusal('look like Google in other characters')],
    ['a public provider in full width', '\uff27\uff49\uff54\uff28\uff55\uff42', refusal('look like GitHub in other characters')],
  ])('is refused if it has %s', async (_, name, expected) => {
    expect(await createNamed(name)).toEqual(expected)
    expect(await prisma.identityProvider.count({ where: { teamId: scene.team.id } })).toBe(0)
  })

  test.each(['Okta', 'Google', 'google', 'Google Workspace', 'Microsoft Entra ID', 'Окта', 'شركة', '社内 SSO'])(
    'can be %s',
    async (name) => {
      expect(await createNamed(name)).toEqual([undefined, undefined])
    },
  )

  test('of a stored provider can stay as it is, but not be changed to one that is refused', async () => {
    await createNamed('Okta')
    const { id } = await prisma.identityProvider.findFirstOrThrow({ where: { teamId: scene.team.id } })
    await prisma.identityProvider.update({ where: { id }, data: { name: 'Ok\u200bta' } })
    const change = async (input: object) =>
      messagesOf(await executeWith(service, scene.session, update, { input: { id, ...input } }, brand))
    expect(await change({ name: 'Ok\u200bta', clientId: '2' })).toEqual([undefined, undefined])
    expect(await change({ name: 'Ok\u200dta' })).toEqual(invisible)
    expect(await prisma.identityProvider.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'Ok\u200bta', clientId: '2' })
  })
})
