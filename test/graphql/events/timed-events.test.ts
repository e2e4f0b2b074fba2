import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { recordTimedEvents } from '../../../schema/events/record-timed-events.ts'
import { createOwnedTeam, teamToken } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { settled } from '../../support/data/settled.ts'

const service = useService()
const { database, clock } = service
const day = 86_400_000
const inDays = (days: number) => new Date(clock.now().getTime() + days * day)

/** Records what is due, as the service does every minute, in two processes at once. */
const record = () => Promise.all([0, 1].map(() => recordTimedEvents(database.pool, clock.now())))

async function eventsOf(team: Team, token: string) {
  await settled(database.pool)
  const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/events`, { token })
  return body.data.filter(({ type }: { type: string }) => /expire/.test(type))
}

describe('an unanswered invitation', () => {
  test('expires once, as an event by the system', async () => {
    const { team, token } = await createOwnedTeam(database)
    const email = `${randomUUID()}@example.test`
    const invite = () =>
      request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, {
        token,
        body: { email, role: 'billing', accessible_app_ids: [] },
      })
    await invite()
    await record()
    expect(await eventsOf(team, token)).toEqual([])
    await database.prisma.invitation.updateMany({ where: { email }, data: { expiresAt: inDays(-0.01) } })
    for (let run = 0; run < 3; run++) await record()
    const invitation = await database.prisma.invitation.findFirstOrThrow({ where: { email } })
    const data = { invitation_id: invitation.id, email, role: 'billing', accessible_app_ids: [], user_id: null }
    expect(await eventsOf(team, token)).toEqual([
      expect.objectContaining({ type: 'invitation.expired', actor: { kind: 'system', id: null, name: 'system' }, data }),
    ])
    // A new invitation of the same address expires on its own.
    await invite()
    await record()
    await database.prisma.invitation.updateMany({ where: { email, status: 'pending' }, data: { expiresAt: inDays(-0.01) } })
    await record()
    expect(await eventsOf(team, token)).toHaveLength(2)
  })

  test('expires also when the address is invited again before the minute is over', async () => {
    const { team, token } = await createOwnedTeam(database)
    const email = `${randomUUID()}@example.test`
    const invite = () => request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email, role: 'member' } })
    await invite()
    await database.prisma.invitation.updateMany({ where: { email }, data: { expiresAt: inDays(-0.01) } })
    await invite()
    await record()
    expect(await eventsOf(team, token)).toHaveLength(1)
  })
})

describe('a team token that expires', () => {
  async function tokenWith(passed: number, remaining: number) {
    const { team, token } = await createOwnedTeam(database)
    await teamToken(database, team, { expiresAt: inDays(remaining) })
    await database.prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { createdAt: inDays(-passed) } })
    return { team, token }
  }
  const countAfter = async ({ team, token }: { team: Team; token: string }) => {
    await record()
    return (await eventsOf(team, token)).length
  }

  test('is announced 7 days before and 1 day before, each once', async () => {
    const owned = await tokenWith(60, 7.5)
    expect(await countAfter(owned)).toBe(0)
    const move = (days: number) =>
      database.prisma.accessToken.updateMany({ where: { teamId: owned.team.id }, data: { expiresAt: inDays(days) } })
    await move(6.9)
    expect(await countAfter(owned)).toBe(1)
    expect(await countAfter(owned)).toBe(1)
    await move(0.9)
    expect(await countAfter(owned)).toBe(2)
    expect(await countAfter(owned)).toBe(2)
    const [event] = await eventsOf(owned.team, owned.token)
    expect(event).toMatchObject({
      type: 'token.expires_soon',
      actor: { kind: 'system' },
      data: { name: 'test', scopes: expect.any(Array) },
    })
  })

  test.each([
    ['a token for a day is never announced', 0, 1, 0],
    ['a token for five days is announced once, a day before', 4.5, 0.5, 1],
    ['a token that was found late is announced once', 60, 0.5, 1],
    ['an expired token is not announced', 60, -0.1, 0],
  ])('%s', async (_, passed, remaining, count) => {
    expect(await countAfter(await tokenWith(passed, remaining))).toBe(count)
  })
})
