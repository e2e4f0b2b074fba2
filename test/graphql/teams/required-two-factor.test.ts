import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { enablePasskeyFactor, addPasskey, enableTotp } from '../../support/data/second-factor.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database
const minute = 60_000
const document = `mutation ($team: String!, $graceDays: Int) {
  setTwoFactorRequirement(input: { team: $team, graceDays: $graceDays }) { team { twoFactorRequiredAt } }
}`
const message = 'This team requires two-factor authentication. Turn it on in the security settings of your account.'

/** A team with an owner who has two-factor authentication, and a member who has not. */
async function createScene() {
  const { team, owner, token: ownersToken } = await createOwnedTeam(database)
  const member = await createUser(database, { name: 'Ben' })
  await join(database, team, member, 'owner')
  const session = await sessionOf(service, owner)
  await enableTotp({ service, principal: session })
  const require = (graceDays: number | null) => executeAs(service, session, document, { team: team.slug, graceDays })
  return { team, owner, ownersToken, member, session, require, token: await personalToken(database, member) }
}
type Scene = Awaited<ReturnType<typeof createScene>>

const setDeadline = ({ team: { id } }: Scene, milliseconds: number) =>
  prisma.team.update({ where: { id }, data: { twoFactorRequiredAt: new Date(clock.now().getTime() + milliseconds) } })

/** The codes of a REST and a GraphQL request of a credential to the team; null for success. */
async function codesOf(token: string, { team: { slug } }: Scene) {
  const rest = await request(service, 'GET', `/api/v1/teams/${slug}/members`, { token })
  const graph = await graphql(service, token, `{ team(slug: "${slug}") { slug } }`)
  return [rest.status, rest.body.code ?? null, graph.errors[0]?.extensions?.code ?? null]
}
const allowed = [200, null, null]
const refused = [403, 'two_factor_required', 'two_factor_required']

describe('a member without two-factor authentication', () => {
  const credentials: Record<string, (user: User, scene: Scene) => Promise<string>> = {
    'a personal token': (_, { token }) => Promise.resolve(token),
    'a token of a client with access to all teams': async (user) => accessToken(database, await createGrant(database, user)),
    'a token of a client for this team': async (user, { team }) => accessToken(database, await createGrant(database, user, { team })),
  }
  test.each(Object.entries(credentials))('has access by %s until the grace period is over, and again with it', async (_, create) => {
    const scene = await createScene()
    const token = await create(scene.member, scene)
    await setDeadline(scene, 10 * minute)
    expect(await codesOf(token, scene)).toEqual(allowed)
    clock.advance(10 * minute)
    expect(await codesOf(token, scene)).toEqual(refused)
    expect((await request(service, 'GET', '/api/v1/teams', { token })).body).toEqual({ data: [] })
    expect((await graphql(service, token, '{ viewer { teamSlug teamSlugs } }')).data).toEqual({ viewer: { teamSlug: null, teamSlugs: [] } })
    const { refusal } = await executeAs(service, await sessionOf(service, scene.member), '{ viewer { id: userId } }')
    expect(refusal).toBeNull()
    await enableTotp({ service, principal: await sessionOf(service, scene.member) })
    expect(await codesOf(token, scene)).toEqual(allowed)
  })

  test('receives an error that says what to do, and keeps access to other teams', async () => {
    const scene = await createScene()
    const other = await createTeam(database)
    await join(database, other, scene.member, 'member')
    await setDeadline(scene, 0)
    const { body } = await request(service, 'PATCH', `/api/v1/teams/${scene.team.slug}`, { token: scene.token, body: { name: 'Evil' } })
    expect(body).toEqual({ message, code: 'two_factor_required', request_id: expect.any(String) })
    expect((await request(service, 'GET', '/api/v1/teams', { token: scene.token })).body.data).toMatchObject([{ slug: other.slug }])
    expect((await prisma.team.findUniqueOrThrow({ where: { id: scene.team.id } })).name).toBe('Acme')
  })

  test('has access with a passkey only if it is the second factor', async () => {
    const scene = await createScene()
    const principal = await sessionOf(service, scene.member)
    await setDeadline(scene, 0)
    const { id } = await addPasskey({ service, principal })
    expect(await codesOf(scene.token, scene)).toEqual(refused)
    await enablePasskeyFactor({ service, principal })
    expect(await codesOf(scene.token, scene)).toEqual(allowed)
    await prisma.passkey.deleteMany({ where: { userId: scene.member.id } })
    expect([id.length > 0, await codesOf(scene.token, scene)]).toEqual([true, refused])
  })

  test('needs no additional statement', async () => {
    const scene = await createScene()
    await codesOf(scene.token, scene)
    const statementsOf = async () => {
      service.statements.length = 0
      await request(service, 'GET', `/api/v1/teams/${scene.team.slug}`, { token: scene.token })
      return service.statements.length
    }
    const without = await statementsOf()
    await setDeadline(scene, 10 * minute)
    expect([without, await statementsOf()]).toEqual([1, 1])
    await setDeadline(scene, 0)
    expect(await statementsOf()).toBe(1)
  })
})

test('team tokens, members who have it and strangers are not affected', async () => {
  const scene = await createScene()
  const token = await teamToken(database, scene.team)
  const stranger = await personalToken(database, await createUser(database))
  await setDeadline(scene, 0)
  expect(await codesOf(token, scene)).toEqual(allowed)
  expect(await codesOf(scene.ownersToken, scene)).toEqual(allowed)
  expect(await codesOf(stranger, scene)).toEqual([403, 'team_forbidden', 'team_forbidden'])
})

describe('setTwoFactorRequirement', () => {
  test('starts the grace period, notifies the members without it, and lists them', async () => {
    const { team, member, session, require } = await createScene()
    const [disabled, unverified] = [
      await createUser(database, { disabledAt: new Date() }),
      await createUser(database, { emailVerified: false }),
    ]
    for (const user of [disabled, unverified]) await join(database, team, user, 'member')
    mails.length = 0
    const { data, refusal } = await require(14)
    expect(refusal).toBeNull()
    const from = String(data.setTwoFactorRequirement.team.twoFactorRequiredAt)
    const stored = await prisma.team.findUniqueOrThrow({ where: { id: team.id } })
    expect(stored.twoFactorRequiredAt?.toISOString()).toBe(from)
    const notice = { kind: 'two-factor-required', userId: member.id, data: { team: 'Acme', slug: team.slug, from } }
    expect(mails).toEqual([expect.objectContaining(notice)])
    const list = 'query ($team: String!) { team(slug: $team) { membersWithoutTwoFactor { total nodes { id: userId } } } }'
    const listed = (await executeAs(service, session, list, { team: team.slug })).data.team.membersWithoutTwoFactor
    expect(listed.total).toBe(3)
    expect(listed.nodes.map(({ id }: User) => id).toSorted()).toEqual([member.id, disabled.id, unverified.id].toSorted())
  })

  test('ends the requirement immediately, and restores the access of all members', async () => {
    const scene = await createScene()
    await scene.require(0)
    expect(await codesOf(scene.token, scene)).toEqual(refused)
    mails.length = 0
    expect((await scene.require(null)).data.setTwoFactorRequirement.team).toEqual({ twoFactorRequiredAt: null })
    expect([await codesOf(scene.token, scene), mails]).toEqual([allowed, []])
    expect((await scene.require(null)).refusal).toBeNull()
    expect(await prisma.auditEntry.count({ where: { teamId: scene.team.id, action: 'setTwoFactorRequirement' } })).toBe(2)
  })

  test('is refused for an owner without two-factor authentication, who can only end it', async () => {
    const { team, member } = await createScene()
    const session = await sessionOf(service, member)
    const { refusal } = await executeAs(service, session, document, { team: team.slug, graceDays: 7 })
    expect(refusal?.details.errors).toEqual({ graceDays: ['Turn on two-factor authentication for your own account first.'] })
    expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).twoFactorRequiredAt).toBeNull()
  })

  test('is available to the operator, who needs no two-factor authentication', async () => {
    const scene = await createScene()
    expect((await executeAs(service, operator, document, { team: scene.team.slug, graceDays: 0 })).refusal).toBeNull()
    expect(await codesOf(scene.token, scene)).toEqual(refused)
  })
})
