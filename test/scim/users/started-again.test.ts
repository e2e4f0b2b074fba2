import { describe, expect, test } from 'vitest'
import { createGroups } from '../../support/scim/groups.ts'
import { patchOf } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

// Okta creates a user whom it deactivated once more when the person is assigned again.

const service = useService()

async function createInactive(more: object = {}) {
  const groups = await createGroups(service, { Dev: ['billing'] })
  const { id, userName } = await groups.provision('ada', { externalId: '00u1', displayName: 'Ada', ...more })
  await groups.createGroup('Dev', [id])
  const deactivate = () => groups.send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))
  expect((await deactivate()).body).toMatchObject({ active: false })
  return { ...groups, id, userName, deactivate }
}

describe('POST of a user who is inactive', () => {
  test.each([
    ['the same values', (userName: string) => ({ userName, externalId: '00u1', displayName: 'Ada' })],
    ['the name in another case, and no externalId', (userName: string) => ({ userName: userName.toUpperCase(), displayName: 'Ada L' })],
    [
      'another name with the same address',
      (userName: string) => ({ userName: 'ada', externalId: '00u1', emails: [{ value: userName, primary: true }] }),
    ],
    ['the same name with another address', (userName: string) => ({ userName, emails: [{ value: `x-${userName}` }], active: 'True' })],
  ])('with %s starts the user again under the same identifier', async (_, bodyOf) => {
    const { send, id, userName, termsOf, domain } = await createInactive()
    const sent = bodyOf(userName)
    const { status, headers, body } = await send('POST', '/Users', sent)
    expect([status, body.id, body.active, body.userName, body.displayName]).toEqual([
      201,
      id,
      true,
      sent.userName,
      (sent as { displayName?: string }).displayName,
    ])
    expect(headers.get('location')).toBe(`${service.url}/scim/v2/Users/${id}`)
    expect(await termsOf(id)).toMatchObject({ role: 'billing', managed: true })
    expect(await service.database.prisma.user.count({ where: { email: { endsWith: domain } } })).toBe(1)
    expect(await send('POST', '/Users', sent)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  test('with the state inactive changes what is stated only', async () => {
    const { send, id, userName, termsOf } = await createInactive()
    expect(await send('POST', '/Users', { userName, displayName: 'New', active: false })).toMatchObject({
      status: 201,
      body: { id, active: false, displayName: 'New' },
    })
    expect(await termsOf(id)).toBeNull()
  })

  test.each([
    ['another externalId', (userName: string) => ({ userName, externalId: '00u2' })],
    ['only the address', (userName: string) => ({ userName: 'ada', emails: [{ value: userName }] })],
  ])('with %s is somebody else, who does not get the account', async (_, bodyOf) => {
    const { send, id, userName, termsOf } = await createInactive()
    await send('POST', '/Users', bodyOf(userName))
    expect(await termsOf(id)).toBeNull()
  })

  test('invites the person if the domain is no longer that of the team', async () => {
    const { send, id, userName, termsOf, team } = await createInactive()
    await service.database.prisma.teamDomain.updateMany({ where: { teamId: team.id }, data: { verifiedAt: null } })
    expect(await send('POST', '/Users', { userName, externalId: '00u1' })).toMatchObject({ status: 201, body: { id, active: true } })
    expect(await termsOf(id)).toBeNull()
    expect(await service.database.prisma.invitation.count({ where: { teamId: team.id, email: userName } })).toBe(1)
  })
})
