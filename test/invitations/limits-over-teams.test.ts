import { describe, expect, test } from 'vitest'
import type { Team, User } from '../../prisma/generated/client/client.ts'
import { findPendingInvitation, invite } from '../support/data/invitation.ts'
import { decline, executeOperation, resend, revoke } from '../support/graphql/invitation-operations.ts'
import { graphql } from '../support/http/graphql.ts'
import { createTeam, createUser, join, personalToken, teamToken, unique } from '../support/data/team.ts'
import { useService } from '../support/service/service.ts'

const service = useService({ rateLimitInvitations: 6 })
const { database, clock, mails } = service
const day = 86_400_000

const guestAddress = () => `${unique('guest')}@example.test`
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).toSorted((a, b) => a - b)
const limitOf = ({ status, headers }: { status: number; headers: Headers }) => ({
  status,
  hours: Math.round(Number(headers.get('retry-after')) / 3600),
  policy: headers.get('ratelimit-policy'),
})

/** A user who owns several teams. */
async function createOwnerOf(count: number): Promise<{ owner: User; token: string; teams: Team[] }> {
  const owner = await createUser(database)
  const teams = await Promise.all(Array.from({ length: count }, () => createTeam(database)))
  for (const team of teams) await join(database, team, owner, 'owner')
  return { owner, token: await personalToken(database, owner), teams }
}
const slugOf = (teams: readonly Team[], index: number) => teams[index % teams.length]?.slug ?? ''

describe('the limit of invitations per person', () => {
  const refused = { status: 429, hours: 24, policy: '"invitations-per-person";q=6;w=86400' }

  test('counts all teams together, exactly for concurrent requests, and ends after a day', async () => {
    const { token, teams } = await createOwnerOf(3)
    const send = (index: number) => invite(service, slugOf(teams, index), token, { email: guestAddress(), role: 'member' })
    expect(statusesOf(await Promise.all(Array.from({ length: 9 }, (_, index) => send(index))))).toEqual([
      ...Array.from({ length: 6 }, () => 204),
      ...Array.from({ length: 3 }, () => 429),
    ])
    const rejected = await send(0)
    expect([limitOf(rejected), rejected.body.message]).toEqual([refused, 'Too Many Attempts.'])
    expect(await database.prisma.invitation.count({ where: { teamId: { in: teams.map(({ id }) => id) } } })).toBe(6)
    clock.advance(day)
    expect((await send(0)).status).toBe(204)
  })

  test('counts invitations that are sent again, and does not count refused ones', async () => {
    const { owner, token, teams } = await createOwnerOf(1)
    const email = guestAddress()
    expect((await invite(service, slugOf(teams, 0), token, { email: owner.email, role: 'member' })).body.code).toBe('already_member')
    expect((await invite(service, slugOf(teams, 0), token, { email, role: 'member' })).status).toBe(204)
    const { id } = await findPendingInvitation(service, email)
    for (let count = 0; count < 4; count++) expect((await executeOperation(service, token, resend, { id })).refusal).toBeNull()
    const send = () => invite(service, slugOf(teams, 0), token, { email: guestAddress(), role: 'member' })
    expect([(await send()).status, limitOf(await send())]).toEqual([204, refused])
  })

  test('counts invitations of team tokens to the user who created the token', async () => {
    const { owner, token, teams } = await createOwnerOf(2)
    const [first, second] = teams
    if (!first || !second) throw new Error('there are two teams')
    const values = [await teamToken(database, first), await teamToken(database, second)]
    await database.prisma.accessToken.updateMany({ where: { teamId: first.id }, data: { createdById: owner.id } })
    const send = (value: string, team: Team) => invite(service, team.slug, value, { email: guestAddress(), role: 'member' })
    for (let count = 0; count < 3; count++)
      expect([(await send(values[0] ?? '', first)).status, (await send(token, second)).status]).toEqual([204, 204])
    expect(limitOf(await send(values[0] ?? '', first))).toEqual(refused)
    expect(limitOf(await send(token, first))).toEqual(refused)
    // The creator of this one is unknown: it counts by itself.
    for (let count = 0; count < 6; count++) expect((await send(values[1] ?? '', second)).status).toBe(204)
    expect(limitOf(await send(values[1] ?? '', second))).toEqual(refused)
  })

  test('is named in the error of GraphQL', async () => {
    const { token, teams } = await createOwnerOf(1)
    for (let count = 0; count < 6; count++) await invite(service, slugOf(teams, 0), token, { email: guestAddress(), role: 'member' })
    const document = `mutation ($team: String!, $email: String!) {
      inviteMember(input: { team: $team, email: $email, role: MEMBER }) { invitation { email } errors { code } }
    }`
    const { data, errors } = await graphql(service, token, document, { team: slugOf(teams, 0), email: guestAddress() })
    expect([data, errors[0]?.extensions]).toEqual([
      { inviteMember: null },
      expect.objectContaining({ code: 'rate_limited', limit: 'invitations-per-person', retry_after_seconds: expect.any(Number) }),
    ])
  })
})

describe('the limit of invitations to one address', () => {
  const ofOtherTeams = { status: 429, hours: 1, policy: '"invitations-of-other-teams";q=1;w=3600' }
  const mailsTo = async (email: string) => {
    const ids = new Set((await database.prisma.invitation.findMany({ where: { email } })).map(({ id }) => id))
    return mails.filter((mail) => mail.kind === 'invitation' && ids.has(mail.invitationId)).length
  }

  test('lets one team in an hour write to a person who did not answer, also when several owners invite at once', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => createOwnerOf(1)))
    const email = guestAddress()
    const send = ({ teams, token }: (typeof owners)[number]) => invite(service, slugOf(teams, 0), token, { email, role: 'member' })
    expect(statusesOf(await Promise.all(owners.map(send)))).toEqual([204, 429, 429, 429])
    expect(await mailsTo(email)).toBe(1)
    const { teamId } = await findPendingInvitation(service, email)
    const inviting = owners.filter(({ teams }) => teams[0]?.id === teamId)
    const others = owners.filter(({ teams }) => teams[0]?.id !== teamId)
    for (const other of others) expect(limitOf(await send(other))).toEqual(ofOtherTeams)
    // The team itself may correct the role or send the mail again.
    for (const owner of inviting) expect((await send(owner)).status).toBe(204)
    clock.advance(3_600_000)
    expect(statusesOf(await Promise.all(others.map(send)))).toEqual([204, 429, 429])
  })

  test('is not evaded by revoking the first invitation, and ends when the person answers it', async () => {
    const { token, teams } = await createOwnerOf(2)
    const guest = await createUser(database)
    const send = (index: number) => invite(service, slugOf(teams, index), token, { email: guest.email, role: 'member' })
    expect((await send(0)).status).toBe(204)
    const { id } = await findPendingInvitation(service, guest.email)
    expect((await executeOperation(service, token, revoke, { id })).refusal).toBeNull()
    expect(limitOf(await send(1))).toEqual(ofOtherTeams)
    await database.prisma.invitation.update({ where: { id }, data: { status: 'pending', answeredAt: null } })
    const declining = decline.replace('$token: String!', '$id: ID!').replace('token: $token', 'id: $id')
    expect((await executeOperation(service, await personalToken(database, guest), declining, { id })).refusal).toBeNull()
    expect((await send(1)).status).toBe(204)
  })

  test('allows ten in a day, over all teams and senders', async () => {
    const email = guestAddress()
    for (let count = 0; count < 2; count++) {
      const { token, teams } = await createOwnerOf(1)
      for (let renewal = 0; renewal < 5; renewal++)
        expect((await invite(service, slugOf(teams, 0), token, { email, role: 'member' })).status).toBe(204)
      clock.advance(3_600_000)
    }
    const { token, teams } = await createOwnerOf(1)
    expect(limitOf(await invite(service, slugOf(teams, 0), token, { email, role: 'member' }))).toEqual({
      status: 429,
      hours: 22,
      policy: '"invitations-per-address-and-day";q=10;w=86400',
    })
    const stored = await database.prisma.attemptCount.findMany()
    expect(stored.some(({ key }) => key.includes(email))).toBe(false)
  })
})
