import { beforeEach, describe, expect, test } from 'vitest'
import { findProvider } from '../../../schema/identity-providers/stored-provider.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { createIssuer } from '../../support/identity-providers/issuer.ts'
import { seededSecret, seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { createScene, listed, remove, update } from '../../support/identity-providers/settings.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database, clock } = service
const ports = { database, deriveSecret: secretDeriver(secretKey) }

let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene(service)
})
const stored = (id: string) => database.prisma.identityProvider.findUniqueOrThrow({ where: { id } })
/** A provider of the team that was tested and through which a user signed in. */
async function seedTested() {
  const id = await seedProvider(service, scene.team, { issuer: scene.issuer, testedAt: clock.now(), jitRole: 'member' })
  const user = await createUser(database)
  const identity = { userId: user.id, providerId: id, subject: 'subject-1', lastSignInAt: clock.now() }
  await database.prisma.externalIdentity.create({ data: identity })
  return id
}
const change = (id: string, input: object) => executeAs(service, scene.session, update, { input: { id, ...input } })
describe('a tested provider', () => {
  test.each([
    ['another client', { clientId: 'client-2' }],
    ['another client secret', { clientSecret: 'another' }],
    ['no client secret', { clientSecret: null }],
  ])('must be tested again with %s, and keeps the accounts of its users', async (_, input) => {
    const id = await seedTested()
    expect((await change(id, input)).data.updateIdentityProvider.identityProvider).toMatchObject({ testedAt: null, linkedUsers: 1 })
    expect(await stored(id)).toMatchObject({ testedAt: null, jitRole: 'member' })
  })

  test('unlinks the accounts of its users with another issuer, whose users are others', async () => {
    const id = await seedTested()
    const { data } = await change(id, { issuer: await createIssuer() })
    expect(data.updateIdentityProvider.identityProvider).toMatchObject({ testedAt: null, linkedUsers: 0 })
  })

  test('remains tested after other changes and after none', async () => {
    const id = await seedTested()
    const mails = service.mails.length
    await change(id, { name: 'New name' })
    await change(id, { name: null, issuer: scene.issuer, clientId: 'client-1' })
    expect(await stored(id)).toMatchObject({ name: 'New name', testedAt: expect.any(Date) })
    expect(service.mails.length).toBe(mails)
    await change(id, { groupsClaim: 'groups', jitRole: 'BILLING' })
    expect(await stored(id)).toMatchObject({ testedAt: expect.any(Date), groupsClaim: 'groups', jitRole: 'billing' })
    expect(service.mails.slice(mails)).toMatchObject([{ kind: 'identity-provider', data: { what: 'changed' } }])
  })

  test('records a new secret without its value', async () => {
    const id = await seedTested()
    await change(id, { clientSecret: 'another secret' })
    const [entry] = await database.prisma.auditEntry.findMany({ where: { subject: id } })
    expect(entry).toMatchObject({ before: {}, after: { clientSecret: 'replaced' } })
    expect(await findProvider(ports, id)).toMatchObject({ clientSecret: 'another secret' })
  })
})

test('a provider through which the team requires sign-in cannot be deleted', async () => {
  const id = await seedTested()
  const { prisma } = database
  await prisma.team.update({ where: { id: scene.team.id }, data: { signInProviderId: id, signInRequiredAt: clock.now() } })
  const { refusal } = await executeAs(service, scene.session, remove, { id })
  expect(refusal?.details.errors).toEqual({ id: ['The team requires sign-in through this identity provider. Stop requiring it first.'] })
  await prisma.team.update({ where: { id: scene.team.id }, data: { signInProviderId: null, signInRequiredAt: null } })
  await executeAs(service, scene.session, remove, { id })
  expect(await prisma.externalIdentity.count({ where: { providerId: id } })).toBe(0)
})

test('members and owners of other teams learn nothing of a provider and cannot change it', async () => {
  const id = await seedTested()
  const member = await createUser(database)
  await join(database, scene.team, member, 'member')
  const { owner } = await createOwnedTeam(database)
  for (const user of [member, owner]) {
    const session = await sessionOf(service, user)
    const code = user === member ? 'role_required' : 'not_found'
    for (const [document, variables] of [[update, { input: { id, name: 'Evil' } }] as const, [remove, { id }] as const])
      expect((await executeAs(service, session, document, variables)).refusal?.code).toBe(code)
    expect((await executeAs(service, session, listed, { team: scene.team.slug })).refusal?.code).toBe(
      user === member ? 'role_required' : 'team_forbidden',
    )
  }
})

test('an operator disables and enables a provider, each once, with an audit entry and a mail', async () => {
  const id = await seedTested()
  const document = (name: string) => `mutation ($id: ID!) { ${name}(input: { id: $id }) { identityProvider { disabledAt testedAt } } }`
  const run = (name: string) => executeAs(service, operator, document(name), { id })
  await run('disableIdentityProvider')
  await run('disableIdentityProvider')
  expect(await stored(id)).toMatchObject({ disabledAt: expect.any(Date), testedAt: expect.any(Date) })
  await run('enableIdentityProvider')
  expect(await stored(id)).toMatchObject({ disabledAt: null })
  const entries = await database.prisma.auditEntry.findMany({ where: { subject: id }, orderBy: { id: 'asc' } })
  expect(entries.map(({ action }) => action).toSorted()).toEqual(['disableIdentityProvider', 'enableIdentityProvider'])
  expect(JSON.stringify(entries)).not.toContain(seededSecret)
  const sent = service.mails.filter((mail) => mail.kind === 'identity-provider' && mail.userId === scene.owner.id)
  expect(sent).toMatchObject([{ data: { what: 'disabled' } }, { data: { what: 'enabled' } }])
})
