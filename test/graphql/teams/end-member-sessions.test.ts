import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import type { Principal } from '../../../schema/core/principals.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { teamCredentials } from '../../support/oauth/clients/machines.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

/** A team with an owner and the member Ben, who has a session. */
async function createScene() {
  const { team, owner } = await createOwnedTeam(database)
  const ben = await createUser(database, { name: 'Ben' })
  await join(database, team, ben, 'member')
  const session = await createSession(ben)
  const document = (userId = ben.id) =>
    `mutation { endMemberSessions(input: { team: "${team.slug}", userId: "${userId}" }) { member { name } } }`
  const end = async (principal: Principal, userId?: string) =>
    (await executeAs(service, principal, document(userId))).refusal?.code ?? 'ended'
  const endByToken = async (token: string) => (await graphql(service, token, document())).errors[0]?.extensions?.code ?? 'ended'
  const endedTeams = async (id = session.id) => (await prisma.session.findUniqueOrThrow({ where: { id } })).endedTeamIds
  return { team, owner, ben, session, end, endByToken, endedTeams }
}

async function createSession({ id: userId }: Pick<User, 'id'>) {
  const at = clock.now()
  const uidHash = crypto.getRandomValues(new Uint8Array(32))
  const keys = { idHash: crypto.getRandomValues(new Uint8Array(32)), uidHash, kind: 'Session', payload: {} }
  await prisma.oidcModel.create({ data: { ...keys, expiresAt: new Date(at.getTime() + 86_400_000) } })
  const times = { createdAt: at, authenticatedAt: at, lastUsedAt: at }
  return prisma.session.create({ data: { uidHash, userId, methods: ['pwd'], address: '192.0.2.1', userAgent: 'Firefox', ...times } })
}

type Scene = Awaited<ReturnType<typeof createScene>>

describe('these credentials do not end the sessions of a member', () => {
  /** Creates a user and returns the session of the user. */
  const userWith = async (data: Parameters<typeof createUser>[1], role?: 'member' | 'billing', { team }: Partial<Scene> = {}) => {
    const user = await createUser(database, data)
    if (team && role) await join(database, team, user, role)
    return sessionOf(service, user)
  }
  test.each<[string, string, (scene: Scene) => Promise<Principal | string>]>([
    ['the member', 'role_required', ({ ben }) => sessionOf(service, ben)],
    ['another member', 'role_required', (scene) => userWith({}, 'member', scene)],
    ['a billing member', 'role_required', (scene) => userWith({}, 'billing', scene)],
    [
      'an owner of another team of the member',
      'team_forbidden',
      async ({ ben }) => {
        const other = await createOwnedTeam(database)
        await join(database, other.team, ben, 'member')
        return sessionOf(service, other.owner)
      },
    ],
    ['a staff user', 'team_forbidden', () => userWith({ staff: true })],
    [
      'an owner whose sign-in is not recent',
      'recent_sign_in_required',
      async ({ owner }) => ({
        ...(await sessionOf(service, owner)),
        authenticatedAt: new Date(clock.now().getTime() - 15 * 60_000 - 1),
      }),
    ],
    ['a personal token of the owner', 'session_required', ({ owner }) => personalToken(database, owner)],
    [
      'an app of the owner',
      'session_required',
      async ({ owner, team }) => accessToken(database, await createGrant(database, owner, { team })),
    ],
    ...teamCredentials.map((create, index): [string, string, (scene: Scene) => Promise<string>] => [
      `credential ${index + 1} of the team`,
      'session_required',
      ({ team }) => create(database, team),
    ]),
  ])('%s', async (_, code, create) => {
    const scene = await createScene()
    const credential = await create(scene)
    expect(await (typeof credential === 'string' ? scene.endByToken(credential) : scene.end(credential))).toBe(code)
    expect(await scene.endedTeams()).toEqual([])
  })
})

test('an owner and the operator end the sessions of a member, of this user and in this team only', async () => {
  const { team, owner, ben, end, endedTeams } = await createScene()
  const ofOwner = await createSession(owner)
  expect(await end(await sessionOf(service, owner))).toBe('ended')
  expect(await end(operator)).toBe('ended')
  expect([await endedTeams(), await endedTeams(ofOwner.id)]).toEqual([[team.id], []])
  expect(await endedTeams((await createSession(ben)).id)).toEqual([])
})

test('a person who is no member of the team is not found', async () => {
  const { owner, end, endedTeams } = await createScene()
  const stranger = await createUser(database)
  await join(database, await createTeam(database), stranger, 'member')
  const session = await createSession(stranger)
  expect(await end(await sessionOf(service, owner), stranger.id)).toBe('not_found')
  expect(await endedTeams(session.id)).toEqual([])
})
