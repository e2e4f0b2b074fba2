import { describe, expect, test } from 'vitest'
import { findPendingInvitation, invite } from '../../support/data/invitation.ts'
import { createUser, join, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

const memberOf = (teamId: string, userId: string) => prisma.member.findUnique({ where: { teamId_userId: { teamId, userId } } })
const actionsOf = async (teamId: string) =>
  (await prisma.auditEntry.findMany({ where: { teamId }, orderBy: [{ at: 'asc' }, { id: 'asc' }] })).map(({ action }) => action)

describe('a user', () => {
  test('loses the membership when the directory deactivates it, stays readable, and gets it back', async () => {
    const { team, send, provision } = await createDirectory(service)
    const { id } = await provision('ada')
    expect(await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))).toMatchObject({
      status: 200,
      body: { id, active: false },
    })
    expect(await memberOf(team.id, id)).toBeNull()
    expect(await send('GET', `/Users/${id}`)).toMatchObject({ status: 200, body: { active: false } })
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'True' }))
    expect(await memberOf(team.id, id)).toMatchObject({ role: 'member' })
    expect(await actionsOf(team.id)).toEqual(['provisionMember', 'deprovisionMember', 'provisionMember'])
  })

  test('is forgotten after DELETE, while the account remains', async () => {
    const { team, send, provision } = await createDirectory(service)
    const { id } = await provision('ada', { externalId: 'ada' })
    expect(await send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: null })
    expect(await memberOf(team.id, id)).toBeNull()
    expect((await send('GET', `/Users/${id}`)).status).toBe(404)
    expect((await send('DELETE', `/Users/${id}`)).status).toBe(404)
    expect(await prisma.user.count({ where: { id } })).toBe(1)
    expect((await provision('ada', { externalId: 'ada' })).id).toBe(id)
  })

  test('cannot return with an invitation from before the directory removed it', async () => {
    const { team, token, domain, send, provision } = await createDirectory(service)
    const email = `ada@${domain}`
    await invite(service, team.slug, token, { email, role: 'owner' })
    const { id } = await findPendingInvitation(service, email)
    const user = await provision('ada')
    await send('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', path: 'active', value: false }))
    const guest = await personalToken(service.database, await prisma.user.findUniqueOrThrow({ where: { id: user.id } }))
    const document = `mutation { acceptInvitation(input: { id: "${id}" }) { errors { message } } }`
    const { data } = await graphql(service, guest, document)
    expect(data).toEqual({ acceptInvitation: { errors: [{ message: 'The invitation is revoked.' }] } })
    expect(await memberOf(team.id, user.id)).toBeNull()
    expect(await prisma.auditEntry.findMany({ where: { action: 'revokeInvitation', subject: id } })).toMatchObject([
      { teamId: team.id, actorKind: 'team', subjectName: email, before: { status: 'pending' }, after: { status: 'revoked' } },
    ])
  })

  test('can be a member who was invited', async () => {
    const { team, send } = await createDirectory(service)
    const user = await createUser(service.database, { name: 'Bob' })
    await join(service.database, team, user, 'billing')
    const { body } = await send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${user.email.toUpperCase()}"`)}`)
    expect(body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id, displayName: 'Bob', active: true }] })
    expect(await send('PATCH', `/Users/${user.id}`, patchOf({ op: 'add', path: 'externalId', value: 'x1' }))).toMatchObject({
      body: { externalId: 'x1', emails: [{ value: user.email, type: 'work', primary: true }] },
    })
    expect(await memberOf(team.id, user.id)).toMatchObject({ role: 'billing' })
    await send('DELETE', `/Users/${user.id}`)
    expect(await memberOf(team.id, user.id)).toBeNull()
  })

  test('is not removed as the last owner, neither by a PATCH, nor PUT, nor DELETE', async () => {
    const { team, owner, send } = await createDirectory(service)
    const path = `/Users/${owner.id}`
    for (const [method, body] of [
      ['PATCH', patchOf({ op: 'replace', path: 'active', value: false })],
      ['PUT', { userName: owner.email, active: false }],
      ['DELETE', undefined],
    ] as const)
      expect(await send(method, path, body)).toMatchObject({
        status: 409,
        body: { scimType: 'mutability', detail: 'The team must keep at least one owner.' },
      })
    expect(await memberOf(team.id, owner.id)).toMatchObject({ role: 'owner' })
    await join(service.database, team, await createUser(service.database), 'owner')
    expect((await send('DELETE', path)).status).toBe(204)
  })

  test('is invited, and no member again, after the team lost the domain', async () => {
    const { team, send, provision } = await createDirectory(service)
    const { id } = await provision('ada')
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
    await prisma.teamDomain.updateMany({ where: { teamId: team.id }, data: { verifiedAt: null } })
    expect(await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: true }))).toMatchObject({
      status: 200,
      body: { id, active: true },
    })
    expect(await memberOf(team.id, id)).toBeNull()
    expect(await prisma.invitation.findMany({ where: { teamId: team.id } })).toMatchObject([{ status: 'pending', directoryUserId: id }])
  })

  test('keeps of what a PUT does not contain only the state and the externalId', async () => {
    const { send, provision } = await createDirectory(service)
    const { id, userName } = await provision('ada', { externalId: 'x', displayName: 'Ada' })
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
    const { body } = await send('PUT', `/Users/${id}`, { userName, name: { formatted: 'Ada L' } })
    expect(body).toMatchObject({ userName, name: { formatted: 'Ada L' }, active: false, emails: [], externalId: 'x' })
    expect(Object.keys(body)).not.toContain('displayName')
  })

  test('of another team does not exist', async () => {
    const [one, other] = [await createDirectory(service), await createDirectory(service)]
    const { id } = await one.provision('ada')
    for (const method of ['GET', 'DELETE']) expect((await other.send(method, `/Users/${id}`)).status).toBe(404)
    expect((await other.send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))).status).toBe(404)
    expect((await other.send('GET', '/Users/..%00')).status).toBe(404)
  })

  test('is not changed under another version', async () => {
    const { send, provision } = await createDirectory(service)
    const { id } = await provision('ada')
    const first = await send('GET', `/Users/${id}`)
    const etag = first.headers.get('etag') ?? ''
    expect((await send('GET', `/Users/${id}`, undefined, { 'If-None-Match': etag })).status).toBe(304)
    const change = patchOf({ op: 'replace', path: 'displayName', value: 'New' })
    expect((await send('PATCH', `/Users/${id}`, change, { 'If-Match': etag })).status).toBe(200)
    expect((await send('PATCH', `/Users/${id}`, change, { 'If-Match': etag })).status).toBe(412)
    expect((await send('DELETE', `/Users/${id}`, undefined, { 'If-Match': etag })).status).toBe(412)
  })
})

test('a directory gets its list in parts, with the attributes that it asks for', async () => {
  const { send, provision, owner } = await createDirectory(service)
  const ids = [owner.id]
  for (const name of ['a', 'b', 'c']) {
    ids.push((await provision(name)).id)
    service.clock.advance(1000)
  }
  const parts = [await send('GET', '/Users?startIndex=1&count=3'), await send('GET', '/Users?startIndex=4&count=3')]
  expect(parts.map(({ body }) => [body.totalResults, body.startIndex, body.itemsPerPage])).toEqual([
    [4, 1, 3],
    [4, 4, 1],
  ])
  expect(new Set(parts.flatMap(({ body }) => body.Resources.map(({ id }: { id: string }) => id)))).toEqual(new Set(ids))
  expect((await send('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] })
  const { body } = await send('GET', '/Users?attributes=userName,emails.value,meta.version&count=1')
  expect(Object.keys(body.Resources[0])).toEqual(['schemas', 'id', 'userName', 'emails', 'meta'])
  expect(Object.keys(body.Resources[0].emails[0])).toEqual(['value'])
  expect((await send('GET', `/Users/${owner.id}?excludedAttributes=groups,emails.type`)).body).toMatchObject({
    emails: [{ primary: true }],
  })
})
