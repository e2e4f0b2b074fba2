import { describe, expect, test } from 'vitest'
import { join, personalToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createGuest } from '../../support/scim/guests.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

/** Runs a mutation of an owner about the pending invitation. */
async function asOwner({ token, invitations }: Awaited<ReturnType<typeof createGuest>>, name: string) {
  const invitation = (await invitations()).find(({ status }) => status === 'pending')
  await graphql(service, token, `mutation { ${name}(input: { id: "${invitation?.id}" }) { errors { message } } }`)
}

describe('a person who was invited by the directory', () => {
  test('becomes a member by accepting, and stays the same user of the directory', async () => {
    const { id, sent, address, read, createAccount, answer, entries, termsOf, send } = await createGuest(service)
    const account = await createAccount()
    expect(await answer(account)).toEqual([])
    expect(await read()).toMatchObject({ id, ...sent, active: true })
    expect(await termsOf(account.id)).toMatchObject({ role: 'member', allApplications: true, managed: false })
    expect(await entries()).toEqual([`team inviteFromDirectory ${address}`, 'user acceptInvitation Grace Guest'])
    expect((await send('GET', '/Users')).body.totalResults).toBe(2)
    expect((await send('GET', `/Users/${account.id}`)).status).toBe(404)
    expect(await send('POST', '/Users', { userName: 'x', emails: [{ value: address }] })).toMatchObject({ status: 409 })
  })

  test('gets the role and the products of the groups, before and after accepting', async () => {
    const { id, createGroup, patch, read, createAccount, answer, termsOf, membersOf } = await createGuest(service, {
      Dev: ['member', ['flow']],
      Accounting: ['billing', ['cert']],
    })
    const [dev, accounting] = [await createGroup('Dev', [id]), await createGroup('Accounting')]
    expect((await read()).groups).toMatchObject([{ value: dev.id }])
    expect(await membersOf(dev.id)).toEqual([id])
    const account = await createAccount()
    await answer(account)
    expect(await termsOf(account.id)).toEqual({ role: 'member', allApplications: false, applications: ['flow'], managed: true })
    await patch(accounting.id, { op: 'add', path: 'members', value: [{ value: id }] })
    await patch(dev.id, { op: 'remove', path: `members[value eq "${id}"]` })
    expect(await termsOf(account.id)).toEqual({ role: 'billing', allApplications: false, applications: ['cert'], managed: true })
  })

  test('is removed by the directory after accepting, and is invited again', async () => {
    const { id, address, setActive, statuses, createAccount, answer, termsOf, read } = await createGuest(service)
    const account = await createAccount()
    await answer(account)
    expect((await setActive(false)).body).toMatchObject({ id, active: false })
    expect(await termsOf(account.id)).toBeNull()
    expect((await setActive(true)).body).toMatchObject({ id, active: true })
    expect([await termsOf(account.id), await statuses()]).toEqual([null, ['accepted', 'pending']])
    await answer(account)
    expect(await termsOf(account.id)).toMatchObject({ role: 'member' })
    expect((await read()).userName).toBe(address)
  })

  test('cannot accept after the directory deactivated or deleted the user', async () => {
    for (const end of ['deactivate', 'delete']) {
      const { send, id, address, setActive, statuses, read, entries } = await createGuest(service)
      if (end === 'delete') expect((await send('DELETE', `/Users/${id}`)).status).toBe(204)
      else expect((await setActive(false)).body).toMatchObject({ active: false })
      expect(await statuses()).toEqual(['revoked'])
      expect(await entries()).toEqual([`team inviteFromDirectory ${address}`, `team revokeInvitation ${address}`])
      if (end === 'delete') expect((await send('GET', `/Users/${id}`)).status).toBe(404)
      else expect(await read()).toMatchObject({ id, active: false })
    }
  })

  test('declines, and is inactive until the directory activates the user again', async () => {
    const { setActive, statuses, createAccount, answer, read, change } = await createGuest(service)
    const account = await createAccount()
    await answer(account, 'declineInvitation')
    expect(await read()).toMatchObject({ active: false })
    expect((await change({ op: 'replace', path: 'displayName', value: 'New' })).body).toMatchObject({ active: false })
    expect(await statuses()).toEqual(['declined'])
    expect((await setActive(true)).body).toMatchObject({ active: true })
    expect(await statuses()).toEqual(['declined', 'pending'])
  })

  test('is inactive once an owner revokes the invitation', async () => {
    const guest = await createGuest(service)
    await asOwner(guest, 'revokeInvitation')
    expect(await guest.read()).toMatchObject({ active: false })
    const { status, body } = await guest.send('POST', '/Users', guest.sent)
    expect([status, body.id, body.active]).toEqual([201, guest.id, true])
    expect(await guest.statuses()).toEqual(['revoked', 'pending'])
  })

  test('stays active while the invitation has expired, and joins with one that an owner sends again', async () => {
    const guest = await createGuest(service)
    service.clock.advance(8 * 24 * 3_600_000)
    expect(await guest.read()).toMatchObject({ active: true })
    const account = await guest.createAccount()
    expect(await guest.answer(account)).toEqual(['The invitation is expired.'])
    await asOwner(guest, 'resendInvitation')
    expect(await guest.answer(account)).toEqual([])
    expect(await guest.read()).toMatchObject({ id: guest.id, active: true })
    expect(await guest.termsOf(account.id)).toMatchObject({ role: 'member' })
  })

  test('is still the user of the directory if an owner invites the address again', async () => {
    for (const days of [0, 8]) {
      const { team, token, address, createAccount, answer, read, id } = await createGuest(service)
      service.clock.advance(days * 24 * 3_600_000)
      const document = `mutation { inviteMember(input: { team: "${team.slug}", email: "${address}", role: BILLING }) { errors { message } } }`
      await graphql(service, token, document)
      expect(await read()).toMatchObject({ active: true })
      const account = await createAccount()
      await answer(account)
      expect(await read()).toMatchObject({ id, active: true })
      expect(await prisma.scimUser.findMany({ where: { teamId: team.id } })).toMatchObject([{ userId: id, accountId: account.id }])
    }
  })

  test('cannot accept once the token of the directory is revoked', async () => {
    const { team, createAccount, answer } = await createGuest(service)
    await prisma.accessToken.updateMany({ where: { teamId: team.id, name: 'Directory' }, data: { revokedAt: service.clock.now() } })
    expect(await answer(await createAccount())).toEqual(['The person who sent this invitation can no longer invite members.'])
  })

  test('leaves no account behind: an identifier is never used for two people', async () => {
    const { send, sent, id, createAccount, answer } = await createGuest(service)
    const account = await createAccount()
    await answer(account)
    await send('DELETE', `/Users/${id}`)
    const { body } = await send('POST', '/Users', sent)
    expect([body.id === id, body.id === account.id]).toEqual([false, false])
  })

  test('takes the account of an inactive user of the directory along', async () => {
    const { team, domain, send, provision, setActive } = await createGuest(service)
    const former = await provision('former')
    await send('PATCH', `/Users/${former.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    })
    const guest = await createGuest(service)
    expect(guest.team.id).not.toBe(team.id)
    // The person moves the account to the address at which another user is invited.
    const email = `private@${domain}.other.example`
    const { body } = await send('POST', '/Users', { userName: email })
    await prisma.user.update({ where: { id: former.id }, data: { email } })
    const invitation = await prisma.invitation.findFirstOrThrow({ where: { teamId: team.id, email } })
    const token = await personalToken(service.database, await prisma.user.findUniqueOrThrow({ where: { id: former.id } }))
    await graphql(service, token, `mutation { acceptInvitation(input: { id: "${invitation.id}" }) { errors { message } } }`)
    expect((await send('GET', `/Users/${body.id}`)).body).toMatchObject({ active: true, userName: email })
    expect((await send('GET', `/Users/${former.id}`)).body).toMatchObject({ active: false })
    expect(await prisma.member.count({ where: { teamId: team.id } })).toBe(2)
    await setActive(true)
  })

  test('who has become a member otherwise is a user of their own', async () => {
    const { team, send, createAccount, read } = await createGuest(service)
    const account = await createAccount()
    await join(service.database, team, account, 'billing')
    expect(await read()).toMatchObject({ active: true })
    expect((await send('GET', `/Users/${account.id}`)).body).toMatchObject({ id: account.id, active: true })
  })
})
