import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const avatar = (email: string) => `https://www.gravatar.com/avatar/${createHash('sha256').update(email).digest('hex')}?d=mp`

async function createTeamOfTwo() {
  const { team, owner, token } = await createOwnedTeam(database)
  const user = await createUser(database, { name: 'Bo' })
  await join(database, team, user, 'member', ['flow', 'deploy'])
  return { team, owner, token, user, path: `/api/v1/teams/${team.slug}/members` }
}

describe('the members of a team', () => {
  test('are listed with every field, ordered by join time', async () => {
    const { team, owner, token, user, path } = await createTeamOfTwo()
    const { status, body } = await request(service, 'GET', path, { token })
    const url = `${service.url}${path}?page=1`
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        expect.objectContaining({ id: owner.id, role: 'owner', accessible_app_ids: null }),
        {
          id: user.id,
          name: 'Bo',
          email: user.email,
          role: 'member',
          accessible_app_ids: ['flow', 'deploy'],
          avatar_url: avatar(user.email),
          joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
      links: { first: url, last: url, prev: null, next: null },
      meta: {
        current_page: 1,
        from: 1,
        last_page: 1,
        links: [
          { url: null, label: '&laquo; Previous', active: false },
          { url, label: '1', active: true },
          { url: null, label: 'Next &raquo;', active: false },
        ],
        path: `${service.url}/api/v1/teams/${team.slug}/members`,
        per_page: 50,
        to: 2,
        total: 2,
      },
    })
    expect(Object.keys(body)).toEqual(['data', 'links', 'meta'])
    expect(Object.keys(body.meta)).toEqual(['current_page', 'from', 'last_page', 'links', 'path', 'per_page', 'to', 'total'])
  })

  test('can be read one by one, and a user who is not a member returns 404', async () => {
    const { token, user, path } = await createTeamOfTwo()
    const outsider = await createUser(database)
    const { status, body } = await request(service, 'GET', `${path}/${user.id}`, { token })
    expect([status, body.email]).toEqual([200, user.email])
    for (const id of [outsider.id, 'unknown', '%00']) expect((await request(service, 'GET', `${path}/${id}`, { token })).status).toBe(404)
  })
})

describe('PATCH /v1/teams/{teamSlug}/members/{userId}', () => {
  test('changes the given role or applications and leaves absent fields unchanged', async () => {
    const { token, user, path } = await createTeamOfTwo()
    const change = (body: unknown) => request(service, 'PATCH', `${path}/${user.id}`, { token, body })
    const showMember = async () => (await request(service, 'GET', `${path}/${user.id}`, { token })).body
    expect(await change({ role: 'billing', name: 'ignored' })).toMatchObject({ status: 204, body: null })
    expect(await showMember()).toMatchObject({ role: 'billing', accessible_app_ids: ['flow', 'deploy'], name: 'Bo' })
    expect((await change({ accessible_app_ids: [] })).status).toBe(204)
    expect(await showMember()).toMatchObject({ role: 'billing', accessible_app_ids: [] })
    expect((await change({ role: 'owner', accessible_app_ids: null })).status).toBe(204)
    expect(await showMember()).toMatchObject({ role: 'owner', accessible_app_ids: null })
  })

  test.each([
    [{}, { role: ['The role field is required when accessible app ids is not present.'] }],
    [{ role: null }, { role: ['The role field is required.'] }],
    [{ role: 'admin' }, { role: ['The selected role is invalid.'] }],
    [{ role: 5 }, { role: ['The selected role is invalid.'] }],
    [{ accessible_app_ids: 'flow' }, { accessible_app_ids: ['The accessible app ids field must be an array.'] }],
    [{ accessible_app_ids: ['flow', 'unknown'] }, { 'accessible_app_ids.1': ['The selected accessible app ids.1 is invalid.'] }],
    [{ accessible_app_ids: ['flow', 'flow'] }, { 'accessible_app_ids.1': ['The accessible app ids.1 field has a duplicate value.'] }],
    [[], { body: ['The body field must be an object.'] }],
    ['text', { body: ['The body field must be an object.'] }],
    [null, { body: ['The body field is required.'] }],
  ])('returns 422 and changes nothing with the body %j', async (input, errors) => {
    const { token, user, path } = await createTeamOfTwo()
    const { status, body } = await request(service, 'PATCH', `${path}/${user.id}`, { token, body: input })
    const [message] = Object.values(errors as Record<string, string[]>).flat()
    expect([status, body]).toEqual([422, { message, errors, code: 'validation_failed', request_id: uuid }])
    expect((await request(service, 'GET', `${path}/${user.id}`, { token })).body).toMatchObject({ role: 'member' })
  })

  test('returns 422 last_owner for a demotion of the last owner, with a personal and a team token', async () => {
    const { team, owner, token, path } = await createTeamOfTwo()
    for (const credential of [token, await teamToken(database, team)]) {
      const { status, body } = await request(service, 'PATCH', `${path}/${owner.id}`, { token: credential, body: { role: 'member' } })
      const message = 'The team must keep at least one owner.'
      expect([status, body]).toEqual([422, { message, errors: { role: [message] }, code: 'last_owner', request_id: uuid }])
    }
    const applicationsOnly = await request(service, 'PATCH', `${path}/${owner.id}`, {
      token,
      body: { role: 'owner', accessible_app_ids: ['cert'] },
    })
    expect(applicationsOnly.status).toBe(204)
  })

  test('returns 403 role_required if a team token makes a member an owner, and accepts an unchanged owner', async () => {
    const { team, owner, user, path } = await createTeamOfTwo()
    const token = await teamToken(database, team)
    const { status, body } = await request(service, 'PATCH', `${path}/${user.id}`, { token, body: { role: 'owner' } })
    expect([status, body]).toEqual([403, { message: 'This action is unauthorized.', code: 'role_required', request_id: uuid }])
    expect((await request(service, 'PATCH', `${path}/${owner.id}`, { token, body: { role: 'owner' } })).status).toBe(204)
    expect((await request(service, 'PATCH', `${path}/${user.id}`, { token, body: { role: 'billing' } })).status).toBe(204)
  })

  test('returns 404 for an unknown member after validation', async () => {
    const { token, path } = await createTeamOfTwo()
    expect((await request(service, 'PATCH', `${path}/unknown`, { token, body: { role: 'member' } })).status).toBe(404)
    expect((await request(service, 'PATCH', `${path}/unknown`, { token, body: { role: 'x' } })).status).toBe(422)
  })

  test('removes the rights of a demoted owner from the next request on', async () => {
    const { team, owner, token, user, path } = await createTeamOfTwo()
    await database.prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: user.id } }, data: { role: 'owner' } })
    const memberToken = await personalToken(database, user)
    expect((await request(service, 'PATCH', `${path}/${user.id}`, { token, body: { role: 'member' } })).status).toBe(204)
    expect((await request(service, 'PATCH', `${path}/${owner.id}`, { token: memberToken, body: { role: 'member' } })).body.code).toBe(
      'role_required',
    )
  })
})
