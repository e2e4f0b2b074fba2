import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { request } from '../../support/http/request.ts'
import { imageBytes } from '../../support/data/pictures.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { retention } from '../../support/service/test-settings.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
let picture: string
beforeAll(async () => void (picture = (await imageBytes('png', { width: 40, height: 30 })).toString('base64')))

const update = 'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { pictureUrl } } }'
/** Sets the picture of a user and returns its URL at this service. */
async function setPicture(user: User): Promise<string> {
  const { data } = await executeAs(service, await sessionOf(service, user), update, { input: { picture } })
  return service.url + new URL(data.updateProfile.user.pictureUrl).pathname
}
const statusOf = async (url: string) => (await fetch(url)).status
const cleanUp = (days: number) =>
  createCleanup({
    database,
    retention,
    now: () => new Date(clock.now().getTime() + days * 86_400_000),
    report: (error) => expect.fail(String(error)),
  }).run()

describe('a picture', () => {
  test('is the same wherever a user is seen, and the avatar of the member in the REST API, whose ETag changes', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    await personalToken(database, member)
    const path = `/api/v1/teams/${team.slug}/members/${member.id}`
    const before = await request(service, 'GET', path, { token })
    const url = await setPicture(member)
    expect(url).toMatch(new RegExp(`^${service.url}/pictures/[\\w-]{22}\\.webp$`))
    const after = await request(service, 'GET', path, { token })
    expect(after.body).toEqual({ ...before.body, avatar_url: url })
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const list = await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token })
    expect(list.body.data.map((each: any) => each.avatar_url)).toEqual([expect.stringContaining('gravatar'), url])

    const document = `query ($team: String!, $id: ID!) {
      team(slug: $team) {
        member(id: $id) { pictureUrl avatarUrl user { pictureUrl } }
        people(orderBy: { field: ROLE, direction: DESC }) { nodes { pictureUrl } }
        access(kind: PERSONAL_TOKEN, person: "${member.email}") { nodes { person { pictureUrl } } }
      }
    }`
    const { data } = await graphql(service, await personalToken(database, owner), document, { team: team.slug, id: member.id })
    expect(data.team).toEqual({
      member: { pictureUrl: url, avatarUrl: url, user: { pictureUrl: url } },
      people: { nodes: expect.arrayContaining([{ pictureUrl: url }, { pictureUrl: null }]) },
      access: { nodes: [{ person: { pictureUrl: url } }] },
    })
  })

  test('is part of the data of its user, as a file', async () => {
    const user = await createUser(database)
    const url = await setPicture(user)
    const { data } = await executeAs(service, await sessionOf(service, user), 'mutation { exportAccount { data } }')
    const file = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(JSON.parse(data.exportAccount.data).picture).toMatchObject({ type: 'image/webp', base64: file.toString('base64') })
  })

  test('cannot be read while its account is being deleted, and is erased with it', async () => {
    const user = await createUser(database)
    const url = await setPicture(user)
    const { refusal } = await executeAs(service, await sessionOf(service, user), 'mutation { deleteAccount { user { userId } } }')
    expect([refusal, await statusOf(url), await database.prisma.picture.count({ where: { userId: user.id } })]).toEqual([null, 404, 1])
    await executeAs(service, operator, 'mutation ($input: UserInput!) { enableUser(input: $input) { user { userId } } }', {
      input: { email: user.email },
    })
    expect(await statusOf(url)).toBe(200)
    await executeAs(service, await sessionOf(service, user), 'mutation { deleteAccount { user { userId } } }')
    await cleanUp(15)
    expect(await database.prisma.picture.count({ where: { userId: user.id } })).toBe(0)
  })
})

describe('a logo', () => {
  const setLogo = 'mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { team { logoUrl avatarUrl } } }'

  test('is set with the permissions of a change of the team, and by no other credential', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const input = { team: team.slug, logo: picture }
    const refused = [
      await mutate(service, await personalToken(database, member), setLogo, { input }),
      await mutate(service, await personalToken(database, owner, { scopes: ['acct:team:read'] }), setLogo, { input }),
      await mutate(service, (await createOwnedTeam(database)).token, setLogo, { input }),
    ]
    expect(refused.map(({ refusal }) => refusal?.code)).toEqual(['role_required', 'insufficient_scope', 'team_forbidden'])
    expect(await database.prisma.picture.count({ where: { teamId: team.id } })).toBe(0)
    const { data } = await mutate(service, token, setLogo, { input })
    expect(data.updateTeam.team).toEqual({ logoUrl: expect.stringContaining('/pictures/'), avatarUrl: data.updateTeam.team.logoUrl })
    const again = await mutate(service, token, setLogo, { input: { ...input, logo: null } })
    expect(again.data.updateTeam.team).toEqual({ logoUrl: null, avatarUrl: expect.stringContaining('gravatar') })
    expect(await statusOf(data.updateTeam.team.logoUrl)).toBe(404)
  })

  test.each(['', '%%%', 'bm8gaW1hZ2U=', '\0'])('%j is refused', async (logo) => {
    const { team, token } = await createOwnedTeam(database)
    const { refusal } = await mutate(service, token, setLogo, { input: { team: team.slug, name: 'Renamed', logo } })
    expect([refusal?.code, Object.keys(refusal?.errors ?? {})]).toEqual(['validation_failed', ['logo']])
    expect(await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ name: team.name, logoId: null })
  })

  test('cannot be read while its team is deleted, and is erased with it', async () => {
    const { team, token } = await createOwnedTeam(database)
    const { data } = await mutate(service, token, setLogo, { input: { team: team.slug, logo: picture } })
    await database.prisma.team.update({ where: { id: team.id }, data: { deletedAt: clock.now() } })
    expect(await statusOf(data.updateTeam.team.logoUrl)).toBe(404)
    await cleanUp(15)
    expect(await database.prisma.picture.count({ where: { teamId: team.id } })).toBe(0)
    expect(await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ logoId: null })
  })
})
