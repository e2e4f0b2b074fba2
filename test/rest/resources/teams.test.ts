import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database } = service

describe('GET /v1/teams', () => {
  test('returns every field of the user’s teams, ordered by slug', async () => {
    const { team, owner, token } = await createOwnedTeam(database, { gravatarEmail: 'crew@example.test', timezone: 'Europe/Kyiv' })
    const second = await createTeam(database, { slug: `a-${team.slug}`, name: 'First' })
    await join(database, second, owner, 'member')
    const { status, body } = await request(service, 'GET', '/api/v1/teams', { token })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        expect.objectContaining({ slug: second.slug, name: 'First', timezone: null, gravatar_email: null }),
        {
          slug: team.slug,
          name: 'Acme',
          timezone: 'Europe/Kyiv',
          gravatar_email: 'crew@example.test',
          avatar_url: `https://www.gravatar.com/avatar/${createHash('sha256').update('crew@example.test').digest('hex')}?d=mp`,
          created_at: team.createdAt.toISOString(),
          updated_at: team.updatedAt.toISOString(),
        },
      ],
    })
  })
})

describe('GET /v1/teams/{teamSlug}', () => {
  test('returns every field of the team', async () => {
    const { team, token } = await createOwnedTeam(database)
    const { status, body } = await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })
    expect(status).toBe(200)
    expect(body).toEqual({
      slug: team.slug,
      name: 'Acme',
      timezone: null,
      gravatar_email: null,
      avatar_url: 'https://www.gravatar.com/avatar/?d=mp',
      created_at: team.createdAt.toISOString(),
      updated_at: team.updatedAt.toISOString(),
    })
  })

  test('returns only its own team to a team token, which needs no scope', async () => {
    const { team } = await createOwnedTeam(database)
    const other = await createTeam(database)
    const token = await teamToken(database, team, { scopes: [] })
    const list = await request(service, 'GET', '/api/v1/teams', { token })
    expect([list.status, list.body.data.map(({ slug }: { slug: string }) => slug)]).toEqual([200, [team.slug]])
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })).status).toBe(200)
    expect((await request(service, 'GET', `/api/v1/teams/${other.slug}`, { token })).body.code).toBe('team_forbidden')
  })

  test('returns 403 team_forbidden on the next request after the user left the team', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    await join(database, team, await createUser(database), 'owner')
    await database.prisma.member.delete({ where: { teamId_userId: { teamId: team.id, userId: owner.id } } })
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })).body.code).toBe('team_forbidden')
    expect((await request(service, 'GET', '/api/v1/teams', { token })).body).toEqual({ data: [] })
  })
})

describe('PATCH /v1/teams/{teamSlug}', () => {
  const patch = async (input: unknown) => {
    const { team, token } = await createOwnedTeam(database, { timezone: 'UTC', gravatarEmail: 'a@example.test' })
    const path = `/api/v1/teams/${team.slug}`
    const response = await request(service, 'PATCH', path, { token, body: input })
    return { ...response, before: team, after: (await request(service, 'GET', path, { token })).body }
  }

  test('changes the given fields, trims them and returns the team', async () => {
    const { status, body, after, before } = await patch({
      name: '  Ünïcode 🚀 ',
      timezone: 'America/Argentina/Ushuaia',
      gravatar_email: ' New@Example.TEST',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      slug: before.slug,
      name: 'Ünïcode 🚀',
      timezone: 'America/Argentina/Ushuaia',
      gravatar_email: 'new@example.test',
    })
    expect(after).toEqual(body)
    expect(new Date(body.updated_at).getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime())
  })

  test('clears the time zone and the Gravatar address with null', async () => {
    const { status, body } = await patch({ timezone: null, gravatar_email: null })
    expect([status, body.timezone, body.gravatar_email, body.name]).toEqual([200, null, null, 'Acme'])
  })

  test.each([[{}], [{ slug: 'other', unknown: 1 }], [undefined]])(
    'ignores unknown fields and changes nothing with the body %j',
    async (input) => {
      const { status, body, before } = await patch(input)
      expect([status, body.slug, body.name, body.updated_at]).toEqual([200, before.slug, 'Acme', before.updatedAt.toISOString()])
    },
  )

  test('returns the team with only the write scope, which does not allow GET', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const token = await personalToken(database, owner, { scopes: ['acct:team:write'] })
    const path = `/api/v1/teams/${team.slug}`
    expect(await request(service, 'PATCH', path, { token, body: { name: 'New' } })).toMatchObject({ status: 200, body: { name: 'New' } })
    expect((await request(service, 'GET', path, { token })).body.code).toBe('insufficient_scope')
  })

  test.each(['Etc/GMT+5', 'Etc/GMT-14', 'UTC', 'Europe/Kyiv', 'Asia/Kolkata'])('accepts the time zone %s', async (timezone) => {
    expect(await patch({ timezone })).toMatchObject({ status: 200, body: { timezone } })
  })

  const long = 'The name field must not be greater than 255 characters.'
  test.each([
    [{ name: '' }, { name: ['The name field is required.'] }],
    [{ name: ' \t ' }, { name: ['The name field is required.'] }],
    [{ name: null }, { name: ['The name field is required.'] }],
    [{ name: 'x'.repeat(256) }, { name: [long] }],
    [{ name: 7 }, { name: ['The name field must be a string.'] }],
    [{ name: 'a\0b' }, { name: ['The name field contains characters that cannot be stored.'] }],
    [{ name: '\ud800' }, { name: ['The name field contains characters that cannot be stored.'] }],
    [{ timezone: 'Mars/Olympus' }, { timezone: ['The selected timezone is invalid.'] }],
    [{ timezone: '' }, { timezone: ['The selected timezone is invalid.'] }],
    [{ gravatar_email: 'invalid' }, { gravatar_email: ['The gravatar email field must be a valid email address.'] }],
    ...['a\u0001b@x.example', 'a\u200bb@x.example', 'a..b@x.example', '.a@x.example', 'a@-x.example', 'a@x-.example', 'a@b'].map(
      (address): [object, Record<string, string[]>] => [
        { gravatar_email: address },
        { gravatar_email: ['The gravatar email field must be a valid email address.'] },
      ],
    ),
    [{ gravatar_email: {} }, { gravatar_email: ['The gravatar email field must be a string.'] }],
  ])('returns 422 and changes nothing with the body %j', async (input, errors) => {
    const { status, body, after } = await patch(input)
    const [message] = Object.values<string[]>(errors).flat()
    expect([status, body]).toEqual([422, { message, errors, code: 'validation_failed', request_id: expect.any(String) }])
    expect(after).toMatchObject({ name: 'Acme', timezone: 'UTC', gravatar_email: 'a@example.test' })
  })

  test('counts a character outside the Basic Multilingual Plane as one', async () => {
    expect((await patch({ name: '🚀'.repeat(255) })).status).toBe(200)
    expect((await patch({ name: '🚀'.repeat(256) })).status).toBe(422)
  })
})
