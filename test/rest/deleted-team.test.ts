import { beforeAll, describe, expect, test } from 'vitest'
import { lastSecret } from '../support/mail/links.ts'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { Browser } from '../support/browser/browser.ts'
import { createInvitedGuest } from '../support/data/invitation.ts'
import { createPerson } from '../support/oauth/oauth.ts'
import { request } from '../support/http/request.ts'
import { graphql } from '../support/http/graphql.ts'
import { mutate } from '../support/http/mutate.ts'
import { executeAs, operator, sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'
import { createTeam, join, personalToken, teamToken } from '../support/data/team.ts'

// What each credential reaches after its team was deleted. Grants of OAuth clients: test/oauth/token/deleted-team.test.ts.

const service = useService()
const { database } = service
const { prisma } = database
const remove = 'mutation ($team: String!) { deleteTeam(input: { team: $team, confirmSlug: $team }) { team { slug } } }'

async function createFixture() {
  const invited = await createInvitedGuest(service)
  const { team, owner } = invited
  const other = await createTeam(database)
  await join(database, other, owner, 'owner')
  const tokenOfTeam = await teamToken(database, team)
  const secret = lastSecret(service, invited.invitation.id)
  return { ...invited, other, tokenOfTeam, secret }
}
type Fixture = Awaited<ReturnType<typeof createFixture>>
const deleteTeam = async ({ team }: Fixture) => {
  const { refusal } = await executeAs(service, operator, remove, { team: team.slug })
  expect(refusal).toBeNull()
}

const id = '00000000-0000-4000-8000-000000000000'
/** Every documented operation on a team. */
const teamRoutes = Object.entries(openApiDocument({ publicUrl: 'http://localhost' }).paths)
  .filter(([path]) => path.includes('{teamSlug}'))
  .flatMap(([path, item]) => Object.keys(item).map((method) => [method.toUpperCase(), path] as const))

describe('after its team was deleted', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await createFixture()
    await deleteTeam(fixture)
  })

  const send = (method: string, path: string, slug: string, token: string) =>
    request(service, method, `/api${path}`.replace('{teamSlug}', slug).replace(/\{\w+\}/, id), {
      token,
      ...(method !== 'GET' && { body: { name: 'New', role: 'member', email: 'new@example.test' } }),
    })

  test.each(teamRoutes)(
    '%s %s returns the response for an unknown team to a personal token, and 401 to a team token',
    async (method, path) => {
      const { team, token, tokenOfTeam } = fixture
      const [deleted, unknown] = [await send(method, path, team.slug, token), await send(method, path, 'no-such-team', token)]
      const withoutId = ({ status, body }: typeof deleted) => ({ status, body: { ...body, request_id: null } })
      expect(withoutId(deleted)).toEqual(withoutId(unknown))
      expect(withoutId(deleted)).toEqual({
        status: 403,
        body: { message: 'This action is unauthorized.', code: 'team_forbidden', request_id: null },
      })
      expect(withoutId(await send(method, path, team.slug, tokenOfTeam))).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    },
  )

  test('lists and account information have the other teams of a personal token', async () => {
    const { token, other, tokenOfTeam } = fixture
    expect((await request(service, 'GET', '/api/v1/teams', { token })).body.data).toMatchObject([{ slug: other.slug }])
    expect((await request(service, 'GET', '/api/v1/user', { token })).body.teams).toEqual([other.slug])
    for (const path of ['/api/v1/teams', '/api/v1/user', '/api/v1/rules/capabilities'])
      expect((await request(service, 'GET', path, { token: tokenOfTeam })).status).toBe(401)
  })

  test('GraphQL has no trace of the team for members, and none for its tokens', async () => {
    const { team, token, other, tokenOfTeam } = fixture
    expect((await graphql(service, token, '{ teams { slug } viewer { teamSlugs } }')).data).toEqual({
      teams: [{ slug: other.slug }],
      viewer: { teamSlugs: [other.slug] },
    })
    for (const slug of [team.slug, 'no-such-team']) {
      const { errors } = await graphql(service, token, 'query ($slug: String!) { team(slug: $slug) { slug } }', { slug })
      expect(errors).toMatchObject([{ message: 'This action is unauthorized.', extensions: { code: 'team_forbidden' } }])
    }
    expect((await graphql(service, tokenOfTeam, '{ viewer { kind } }')).status).toBe(401)
  })

  test('a personal token whose access to the team was revoked does not name the team', async () => {
    const { team, other } = fixture
    const user = await createPerson(database)
    await personalToken(database, user)
    await prisma.accessToken.updateMany({ where: { userId: user.id }, data: { revokedTeamIds: [team.id, other.id] } })
    const { data } = await executeAs(service, await sessionOf(service, user), '{ viewer { tokens { nodes { revokedTeams } } } }')
    expect(data.viewer.tokens.nodes).toEqual([{ revokedTeams: [other.slug] }])
  })

  test('the operator cannot use the team', async () => {
    const { team } = fixture
    const read = await executeAs(service, operator, '{ teams { slug } }')
    expect(read.data.teams.map(({ slug }: { slug: string }) => slug)).not.toContain(team.slug)
    for (const document of [
      '{ team(slug: "SLUG") { slug } }',
      'mutation { updateTeam(input: { team: "SLUG", name: "New" }) { team { slug } } }',
      'mutation { createTeamToken(input: { team: "SLUG", name: "New", scopes: ["teams"] }) { value } }',
    ])
      expect((await executeAs(service, operator, document.replace('SLUG', team.slug))).refusal?.code).toBe('team_forbidden')
  })

  test('the link of a pending invitation says that it was revoked, and cannot be accepted or declined', async () => {
    const { secret, guest, guestToken, team } = fixture
    for (const mutation of ['acceptInvitation', 'declineInvitation']) {
      const document = `mutation ($token: String!) { ${mutation}(input: { token: $token }) { __typename } }`
      const { refusal } = await mutate(service, guestToken, document, { token: secret })
      expect(refusal).toMatchObject({ code: 'validation_failed', errors: { token: ['The invitation is revoked.'] } })
    }
    expect(await prisma.member.count({ where: { teamId: team.id, userId: guest.id } })).toBe(0)
    const page = await new Browser(service.url).open(`/invitations/${secret}`)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('This invitation was revoked')])
  })
})

test('deleting a team while its invitation is accepted ends with a revoked invitation or a member of the deleted team', async () => {
  for (let round = 0; round < 10; round++) {
    const fixture = await createFixture()
    const { team, guest, guestToken, secret } = fixture
    const accept = 'mutation ($token: String!) { acceptInvitation(input: { token: $token }) { team { slug } } }'
    const [{ refusal }] = await Promise.all([mutate(service, guestToken, accept, { token: secret }), deleteTeam(fixture)])
    const isMember = (await prisma.member.count({ where: { teamId: team.id, userId: guest.id } })) > 0
    const { status } = await prisma.invitation.findUniqueOrThrow({ where: { id: fixture.invitation.id } })
    expect([refusal?.message ?? null, isMember, status]).toEqual(
      isMember ? [null, true, 'accepted'] : ['The invitation is revoked.', false, 'revoked'],
    )
    expect((await request(service, 'GET', '/api/v1/teams', { token: guestToken })).body.data).toEqual([])
  }
})
