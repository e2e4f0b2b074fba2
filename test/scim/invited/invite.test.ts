import { describe, expect, test } from 'vitest'
import { eventParts } from '../../../schema/events/catalogue.ts'
import { eventData } from '../../../schema/events/event-data.ts'
import { buildEvent } from '../../../schema/events/event.ts'
import { beginning, findFeedEvents } from '../../../schema/events/stream.ts'
import { settled } from '../../support/data/settled.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { invite } from '../../support/data/invitation.ts'
import { createDirectory } from '../../support/scim/directory.ts'
import { createGuest } from '../../support/scim/guests.ts'
import { useService } from '../../support/service/service.ts'

// A user whose address is in no verified domain of the team: the directory cannot decide about that person, who is invited.

const service = useService()
const { prisma } = service.database

describe('POST of a user with an address outside the verified domains', () => {
  test('answers 201 with an active user, creates no account, and sends an invitation', async () => {
    const { created, id, address, sent, read, invitations, entries, team } = await createGuest(service)
    expect([created.status, created.headers.get('location')]).toEqual([201, `${service.url}/scim/v2/Users/${id}`])
    expect(created.body).toMatchObject({ ...sent, active: true, emails: [], groups: [] })
    expect(await read()).toEqual(created.body)
    expect(await prisma.user.count({ where: { OR: [{ email: address }, { id }] } })).toBe(0)
    const [invitation, ...more] = await invitations()
    expect(more).toEqual([])
    const token = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id, name: 'Directory' } })
    expect(invitation).toMatchObject({
      status: 'pending',
      role: 'member',
      allApplications: true,
      directoryUserId: id,
      invitedByTokenId: token.id,
    })
    expect(service.mails.filter((mail) => mail.kind === 'invitation' && mail.invitationId === invitation?.id)).toHaveLength(1)
    expect(await entries()).toEqual([`team inviteFromDirectory ${address}`])
  })

  test('is an event for the team, with the data of an invitation', async () => {
    const { team, address } = await createGuest(service)
    await settled(service.database.pool)
    const rows = await findFeedEvents(service.database.pool, team.id, beginning, eventParts, 100)
    const [event, ...more] = rows.map(buildEvent).filter(({ type }) => type.startsWith('invitation.'))
    expect(more).toEqual([])
    expect(event).toMatchObject({ type: 'invitation.created', data: { email: address } })
    expect(eventData.invitation.strict().parse(event?.data)).toEqual(event?.data)
  })

  test('does the same for the domain of another team, and for an account of somebody', async () => {
    const [one, other] = [await createDirectory(service), await createDirectory(service)]
    const account = await createUser(service.database, { email: `ada@${other.domain}` })
    const { status, body } = await one.send('POST', '/Users', { userName: account.email })
    expect([status, body.active, body.id === account.id]).toEqual([201, true, false])
    expect(await prisma.member.count({ where: { userId: account.id } })).toBe(0)
  })

  test('finds the user again, and creates it once only', async () => {
    const { send, sent, id, address } = await createGuest(service)
    for (const filter of [
      `userName eq "${address.toUpperCase()}"`,
      `externalId eq "${sent.externalId}"`,
      `id eq "${id}" and active eq true`,
    ])
      expect((await send('GET', `/Users?${new URLSearchParams({ filter })}`)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    for (const body of [sent, { userName: 'other', emails: [{ value: address }] }])
      expect(await send('POST', '/Users', body)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  test('invites nobody while the user is inactive', async () => {
    const { created, statuses, setActive } = await createGuest(service, {}, { active: false })
    expect([created.status, created.body.active, await statuses()]).toEqual([201, false, []])
    expect((await setActive(true)).body).toMatchObject({ active: true })
    expect(await statuses()).toEqual(['pending'])
  })

  test('refuses the address of a member with 409 uniqueness', async () => {
    const { team, send } = await createDirectory(service)
    const member = await createUser(service.database, { email: 'invited@outside.example' })
    await join(service.database, team, member, 'member')
    for (const body of [{ userName: member.email }, { userName: 'x', emails: [{ value: member.email }] }])
      expect(await send('POST', '/Users', body)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  test('renews the invitation of an owner, with its role and products', async () => {
    const { team, token, send } = await createDirectory(service)
    const email = 'colleague@outside.example'
    await invite(service, team.slug, token, { email, role: 'billing', accessible_app_ids: ['cert'] })
    const { body } = await send('POST', '/Users', { userName: email })
    expect(await prisma.invitation.findMany({ where: { teamId: team.id } })).toMatchObject([
      { email, role: 'billing', applications: ['cert'], directoryUserId: body.id },
    ])
    expect(body.active).toBe(true)
  })

  test('never invites an owner', async () => {
    const { team, token, send } = await createDirectory(service)
    const email = 'boss@outside.example'
    await invite(service, team.slug, token, { email, role: 'owner' })
    await send('POST', '/Users', { userName: email })
    expect(await prisma.invitation.findMany({ where: { teamId: team.id, status: 'pending' } })).toMatchObject([{ email, role: 'member' }])
  })

  test('counts towards the limits of invitations, beyond which nothing is created', async () => {
    const email = 'popular@outside.example'
    const other = await createOwnedTeam(service.database)
    await invite(service, other.team.slug, other.token, { email, role: 'member' })
    const { send, team } = await createDirectory(service)
    const { status, headers, body } = await send('POST', '/Users', { userName: email })
    expect([status, body.schemas]).toEqual([429, ['urn:ietf:params:scim:api:messages:2.0:Error']])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await prisma.scimUser.count({ where: { teamId: team.id } })).toBe(0)
    service.clock.advance(3_600_000)
    expect((await send('POST', '/Users', { userName: email })).status).toBe(201)
  })

  test.each(['nobody@host.invalid', 'nobody'])('still refuses %s, which is no address, with 400', async (userName) => {
    const { send, team } = await createDirectory(service)
    expect(await send('POST', '/Users', { userName })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await prisma.scimUser.count({ where: { teamId: team.id } })).toBe(0)
  })
})
