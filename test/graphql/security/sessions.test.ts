import { describe, expect, test } from 'vitest'
import { describeDevice } from '../../../schema/security/sessions/user-agent.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { createSession } from '../../support/data/session-row.ts'
import { useService } from '../../support/service/service.ts'
import { createUser } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const { prisma } = database
const read = '{ viewer { sessions { id: sessionId device address createdAt lastUsedAt isCurrent } } }'
const revoke = 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { session { id: sessionId isCurrent } } }'

/** Creates a user with two sessions, of which the principal uses the first. */
async function createUserWithTwoSessions() {
  const user = await createUser(database)
  const [currentSession, otherSession] = [
    await createSession(database, user),
    await createSession(database, user, { lastUsedAt: new Date(0), address: '2001:db8::1' }),
  ]
  return { user, currentSession, otherSession, principal: { ...(await sessionOf(service, user)), credentialId: currentSession.id } }
}

test('Viewer.sessions lists the active sessions of the user, most recently used first', async () => {
  const { user, currentSession, otherSession, principal } = await createUserWithTwoSessions()
  await createSession(database, user, {}, new Date(0))
  await createUserWithTwoSessions()
  const expectedSession = (session: typeof currentSession, isCurrent: boolean) => ({
    id: session.id,
    device: 'Firefox on Linux',
    address: session.address,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    isCurrent,
  })
  expect((await executeAs(service, principal, read)).data.viewer.sessions).toEqual([
    expectedSession(currentSession, true),
    expectedSession(otherSession, false),
  ])
})

test('revokeSession deletes the session and its authorization server state', async () => {
  const { currentSession, otherSession, principal } = await createUserWithTwoSessions()
  const { data } = await executeAs(service, principal, revoke, { id: otherSession.id })
  expect(data.revokeSession.session).toEqual({ id: otherSession.id, isCurrent: false })
  expect(await prisma.session.findUnique({ where: { id: otherSession.id } })).toBeNull()
  expect(await prisma.oidcModel.findUnique({ where: { uidHash: otherSession.uidHash } })).toBeNull()
  expect((await executeAs(service, principal, read)).data.viewer.sessions.map(({ id }: { id: string }) => id)).toEqual([currentSession.id])
})

describe('revokeSession', () => {
  test.each([
    ['the session of another user', async () => (await createUserWithTwoSessions()).otherSession.id],
    ['a malformed ID', async () => "x' OR 1=1"],
    ['an unknown ID', async () => '00000000-0000-4000-8000-000000000000'],
  ])('returns not_found for %s', async (_, findId) => {
    const { principal } = await createUserWithTwoSessions()
    const id = await findId()
    const count = await prisma.session.count()
    expect((await executeAs(service, principal, revoke, { id })).refusal?.code).toBe('not_found')
    expect(await prisma.session.count()).toBe(count)
  })

  test('requires a recent sign-in', async () => {
    const { principal, otherSession } = await createUserWithTwoSessions()
    const staleSession = { ...principal, authenticatedAt: new Date(Date.now() - 16 * 60_000) }
    expect((await executeAs(service, staleSession, revoke, { id: otherSession.id })).refusal?.code).toBe('recent_sign_in_required')
  })
})

test('revokeSession returns not_found for one of two concurrent requests', async () => {
  const { principal, otherSession } = await createUserWithTwoSessions()
  const outcomes = await Promise.all([1, 2].map(() => executeAs(service, principal, revoke, { id: otherSession.id })))
  expect(outcomes.map(({ refusal }) => refusal?.code ?? 'done').toSorted()).toEqual(['done', 'not_found'])
})

test('revokeOtherSessions ends only the other sessions of the user', async () => {
  const { principal, currentSession, otherSession } = await createUserWithTwoSessions()
  const other = await createUserWithTwoSessions()
  const { data } = await executeAs(service, principal, 'mutation { revokeOtherSessions { sessions { id: sessionId } } }')
  expect(data.revokeOtherSessions.sessions).toEqual([{ id: otherSession.id }])
  expect(await prisma.session.count({ where: { id: { in: [currentSession.id, other.currentSession.id, other.otherSession.id] } } })).toBe(3)
})

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36', 'Chrome on Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.5.0', 'Unknown device'],
  ['', 'Unknown device'],
  ['<img onerror=alert(1)>', 'Unknown device'],
])('the User-Agent %j is described as %s', (userAgent, label) => {
  expect(describeDevice(userAgent)).toBe(label)
})
