import { describe, expect, test } from 'vitest'
import { describeDevice } from '../../schema/user-agent.ts'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { createSession } from '../support/session-row.ts'
import { startService } from '../support/service.ts'
import { createUser } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database
const read = '{ viewer { sessions { id device address createdAt lastUsedAt isCurrent } } }'
const revoke = 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { session { id isCurrent } } }'

/** A person with two browsers, in one of which they are. */
async function signedIn() {
  const user = await createUser(database)
  const [here, there] = [
    await createSession(database, user),
    await createSession(database, user, { lastUsedAt: new Date(0), address: '2001:db8::1' }),
  ]
  return { user, here, there, as: { ...(await sessionOf(service, user)), credentialId: here.id } }
}

test('a person sees their own that have not ended, the one used last first', async () => {
  const { user, here, there, as } = await signedIn()
  await createSession(database, user, {}, new Date(0))
  await signedIn()
  const told = (session: typeof here, isCurrent: boolean) => ({
    id: session.id,
    device: 'Firefox on Linux',
    address: session.address,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    isCurrent,
  })
  expect((await executeAs(service, as, read)).data.viewer.sessions).toEqual([told(here, true), told(there, false)])
})

test('one that is signed out is gone with all that is kept of it', async () => {
  const { here, there, as } = await signedIn()
  const { data } = await executeAs(service, as, revoke, { id: there.id })
  expect(data.revokeSession.session).toEqual({ id: there.id, isCurrent: false })
  expect(await prisma.session.findUnique({ where: { id: there.id } })).toBeNull()
  expect(await prisma.oAuthArtifact.findUnique({ where: { uidHash: there.uidHash } })).toBeNull()
  expect((await executeAs(service, as, read)).data.viewer.sessions.map(({ id }: { id: string }) => id)).toEqual([here.id])
})

describe('one is not signed out', () => {
  test.each([
    ['by somebody else', async () => (await signedIn()).there.id],
    ['under what is no identifier', async () => "x' OR 1=1"],
    ['that is not there', async () => '00000000-0000-4000-8000-000000000000'],
  ])('%s', async (_, make) => {
    const { as } = await signedIn()
    const id = await make()
    const count = await prisma.session.count()
    expect((await executeAs(service, as, revoke, { id })).refusal?.code).toBe('not_found')
    expect(await prisma.session.count()).toBe(count)
  })

  test('at a screen that was left open', async () => {
    const { as, there } = await signedIn()
    const old = { ...as, authenticatedAt: new Date(Date.now() - 16 * 60_000) }
    expect((await executeAs(service, old, revoke, { id: there.id })).refusal?.code).toBe('recent_sign_in_required')
  })
})

test('of two who sign the same one out, one is told that it is gone', async () => {
  const { as, there } = await signedIn()
  const outcomes = await Promise.all([1, 2].map(() => executeAs(service, as, revoke, { id: there.id })))
  expect(outcomes.map(({ refusal }) => refusal?.code ?? 'done').toSorted()).toEqual(['done', 'not_found'])
})

test('all others are signed out, and nobody else’s', async () => {
  const { as, here, there } = await signedIn()
  const other = await signedIn()
  const { data } = await executeAs(service, as, 'mutation { revokeOtherSessions { sessions { id } } }')
  expect(data.revokeOtherSessions.sessions).toEqual([{ id: there.id }])
  expect(await prisma.session.count({ where: { id: { in: [here.id, other.here.id, other.there.id] } } })).toBe(3)
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
])('a browser that says %j is called %s', (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words)
})
