import { describe, expect, test } from 'vitest'
import { createTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { createDirectory } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

const memberOf = (teamId: string, userId: string) => prisma.member.findUnique({ where: { teamId_userId: { teamId, userId } } })
const actionsOf = async (teamId: string) =>
  (await prisma.auditEntry.findMany({ where: { teamId }, orderBy: [{ at: 'asc' }, { id: 'asc' }] })).map(({ action }) => action)

describe('POST /Users', () => {
  test('creates an account with a verified address, and makes it a member', async () => {
    const { team, domain, send } = await createDirectory(service)
    const address = `ada@${domain}`
    const { status, headers, body } = await send('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: address.toUpperCase(),
      externalId: '00u1',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ primary: true, value: address, type: 'work' }],
      active: true,
      title: 'ignored',
    })
    const account = await prisma.user.findUniqueOrThrow({ where: { email: address } })
    const location = `${service.url}/scim/v2/Users/${account.id}`
    expect(status).toBe(201)
    expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    expect(headers.get('location')).toBe(location)
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: account.id,
      externalId: '00u1',
      userName: address.toUpperCase(),
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: address, type: 'work', primary: true }],
      active: true,
      groups: [],
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location,
        version: headers.get('etag'),
      },
    })
    expect(account).toMatchObject({ name: 'Ada Lovelace', emailVerified: true, createdByTeamId: team.id, passwordHash: null })
    expect(await memberOf(team.id, account.id)).toMatchObject({ role: 'member', allApplications: true, managed: false })
    expect(await actionsOf(team.id)).toEqual(['provisionMember'])
  })

  test('makes an existing account with a verified address a member', async () => {
    const { team, domain, provision } = await createDirectory(service)
    const user = await createUser(service.database, { email: `grace@${domain}` })
    expect((await provision('grace')).id).toBe(user.id)
    expect(await memberOf(team.id, user.id)).toMatchObject({ role: 'member' })
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toEqual(user)
  })

  test('replaces an account with an unverified address, and moves its memberships', async () => {
    const { team, domain, provision } = await createDirectory(service)
    const squatter = await createUser(service.database, { email: `eve@${domain}`, emailVerified: false, passwordHash: 'x' })
    const other = await createTeam(service.database)
    await join(service.database, other, squatter, 'billing', ['cert'])
    const token = await personalToken(service.database, squatter)
    const { id } = await provision('eve')
    expect(id).not.toBe(squatter.id)
    expect(await prisma.user.findUnique({ where: { id: squatter.id } })).toBeNull()
    expect(await prisma.user.findUniqueOrThrow({ where: { id } })).toMatchObject({
      email: `eve@${domain}`,
      emailVerified: true,
      passwordHash: null,
      createdByTeamId: team.id,
    })
    expect(await memberOf(team.id, id)).toMatchObject({ role: 'member' })
    expect(await memberOf(other.id, id)).toMatchObject({ role: 'billing', applications: ['cert'] })
    const { status } = await fetch(`${service.url}/api/v1/user`, { headers: { Authorization: `Bearer ${token}` } })
    expect(status).toBe(401)
    expect(await prisma.auditEntry.count({ where: { action: 'replaceUnverifiedAccount', subject: squatter.id } })).toBe(1)
  })

  test.each([
    ['a member with an unverified address', { emailVerified: false }, true],
    ['an account with an unverified address that an operator disabled', { emailVerified: false, disabledAt: new Date(0) }, false],
  ])('leaves %s as it is, with 409 uniqueness', async (_, state, isMember) => {
    const { team, domain, send } = await createDirectory(service)
    const user = await createUser(service.database, { email: `eve@${domain}`, ...state })
    if (isMember) await join(service.database, team, user, 'member')
    expect(await send('POST', '/Users', { userName: user.email })).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toEqual(user)
  })

  test('creates an inactive user without a membership', async () => {
    const { team, provision } = await createDirectory(service)
    const { id } = await provision('ada', { active: 'False' })
    expect(await memberOf(team.id, id)).toBeNull()
  })

  test.each([
    ['the same name in other case', (address: string) => ({ userName: address.toUpperCase() })],
    ['another name with the same address', (address: string) => ({ userName: 'other', emails: [{ value: address }] })],
  ])('refuses %s with 409 uniqueness', async (_, bodyOf) => {
    const { domain, send, provision } = await createDirectory(service)
    await provision('ada')
    const { status, body } = await send('POST', '/Users', bodyOf(`ada@${domain}`))
    expect(status).toBe(409)
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '409',
      scimType: 'uniqueness',
      detail: expect.stringContaining('exists already'),
    })
  })

  test('refuses a member who was invited with 409 uniqueness', async () => {
    const { team, domain, send } = await createDirectory(service)
    await join(service.database, team, await createUser(service.database, { email: `bob@${domain}` }), 'member')
    expect(await send('POST', '/Users', { userName: `bob@${domain}` })).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  test.each([['no address', 'ada', /needs an email address/]])('refuses %s with 400 invalidValue', async (_, userName, detail) => {
    const { send } = await createDirectory(service)
    const { status, body } = await send('POST', '/Users', { userName })
    expect([status, body.scimType]).toEqual([400, 'invalidValue'])
    expect(body.detail).toMatch(detail)
    expect(await prisma.user.count({ where: { email: userName } })).toBe(0)
  })

  test.each([
    ['no object', '[]', 'invalidSyntax'],
    ['no JSON', '{', 'invalidSyntax'],
    ['no name', '{}', 'invalidValue'],
    ['a wrong type', '{"userName": 1}', 'invalidValue'],
    ['a wrong state', '{"userName": "a", "active": "maybe"}', 'invalidValue'],
  ])('refuses %s', async (_, text, scimType) => {
    const { send } = await createDirectory(service)
    expect(await send('POST', '/Users', text)).toMatchObject({ status: 400, body: { scimType } })
  })
})
