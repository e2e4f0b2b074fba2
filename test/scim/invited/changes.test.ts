import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { unique } from '../../support/data/team.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider, signInAtProvider } from '../../support/identity-providers/team-provider.ts'
import { verifyDomain } from '../../support/scim/directory.ts'
import { createGuest } from '../../support/scim/guests.ts'
import { useService } from '../../support/service/service.ts'

const service = useService({ hostname: 'localhost' })
const { prisma } = service.database
const providers = useProviders(service.clock.now)

describe('an invited user', () => {
  test('is renamed without another invitation, as long as the address stays', async () => {
    const { id, address, change, read, invitations } = await createGuest(service)
    await change({ op: 'add', path: 'emails', value: [{ value: address, type: 'work', primary: true }] })
    await change({ op: 'replace', path: 'userName', value: 'renamed' }, { op: 'replace', path: 'name.familyName', value: 'New' })
    expect(await read()).toMatchObject({ id, active: true, userName: 'renamed', name: { familyName: 'New' } })
    expect(await invitations()).toMatchObject([{ status: 'pending', email: address }])
  })

  test('is invited at the new address, and no longer at the old one', async () => {
    const { id, address, change, read, statuses, createAccount, answer, termsOf } = await createGuest(service)
    const moved = `moved-${address}`
    expect((await change({ op: 'replace', path: 'emails[type eq "work"].value', value: moved })).status).toBe(200)
    expect([await statuses(), await statuses(moved)]).toEqual([['revoked'], ['pending']])
    const account = await createAccount(moved)
    await answer(account)
    expect(await read()).toMatchObject({ id, active: true })
    expect(await termsOf(account.id)).toMatchObject({ role: 'member' })
  })

  test('becomes a member at once with an address in a verified domain', async () => {
    const { id, domain, change, read, statuses, send } = await createGuest(service)
    expect((await change({ op: 'replace', path: 'userName', value: `new@${domain}` })).body).toMatchObject({ id, active: true })
    const account = await prisma.user.findUniqueOrThrow({ where: { email: `new@${domain}` } })
    expect(await prisma.member.count({ where: { userId: account.id } })).toBe(1)
    expect(await statuses()).toEqual(['revoked'])
    expect(account.id).not.toBe(id)
    expect((await send('GET', '/Users')).body.totalResults).toBe(2)
    expect((await read()).userName).toBe(`new@${domain}`)
  })

  test('becomes a member with the next change after the team has verified the domain', async () => {
    const { id, team, address, change, read, statuses } = await createGuest(service, {}, { userName: `ada@${unique('late')}.example` })
    const userName: string = (await read()).userName
    await verifyDomain(service, team, userName.split('@')[1] ?? '')
    expect(await read()).toMatchObject({ active: true })
    await change({ op: 'replace', path: 'displayName', value: 'Ada' })
    const account = await prisma.user.findUniqueOrThrow({ where: { email: userName } })
    expect(await prisma.scimUser.findMany({ where: { teamId: team.id } })).toMatchObject([{ userId: id, accountId: account.id }])
    expect(await prisma.member.count({ where: { userId: account.id } })).toBe(1)
    expect([await statuses(userName), await statuses(address)]).toEqual([['revoked'], []])
  })

  test('who signs in through the provider of the team first is the same user', async () => {
    const { id, team, read, send, statuses, address, createGroup } = await createGuest(
      service,
      {},
      { userName: `ada@${unique('jit')}.example` },
    )
    const userName: string = (await read()).userName
    await createGroup('Staff', [id])
    await verifyDomain(service, team, userName.split('@')[1] ?? '')
    const provider = await providers.create()
    const row = await addProvider(service.database, team, provider, { jitRole: 'member' })
    provider.claims = { sub: unique('subject'), email: userName, email_verified: true }
    await signInAtProvider(new Browser(service.url), row.id)
    const account = await prisma.user.findUniqueOrThrow({ where: { email: userName } })
    expect(await prisma.member.count({ where: { userId: account.id, teamId: team.id } })).toBe(1)
    expect(await prisma.scimUser.findMany({ where: { teamId: team.id } })).toMatchObject([{ userId: id, accountId: account.id }])
    expect((await send('GET', '/Users')).body.totalResults).toBe(2)
    expect([await statuses(userName), await statuses(address)]).toEqual([['accepted'], []])
    await send('DELETE', `/Users/${id}`)
    expect(await prisma.member.count({ where: { userId: account.id, teamId: team.id } })).toBe(0)
  })

  test('gets the version and the PATCH of a group as every user does', async () => {
    const { id, send, change } = await createGuest(service)
    const etag = (await send('GET', `/Users/${id}`)).headers.get('etag') ?? ''
    expect((await send('PUT', `/Users/${id}`, { userName: 'x' }, { 'If-Match': '"other"' })).status).toBe(412)
    expect((await change({ op: 'add', path: 'displayName', value: 'x' })).headers.get('etag')).not.toBe(etag)
  })

  test('is inactive after a PUT with active false, and its data is deleted with the team', async () => {
    const { id, send, sent, statuses, team } = await createGuest(service)
    expect((await send('PUT', `/Users/${id}`, { ...sent, active: false })).body).toMatchObject({ active: false })
    expect(await statuses()).toEqual(['revoked'])
    await prisma.team.delete({ where: { id: team.id } })
    expect(await prisma.scimUser.count({ where: { userId: id } })).toBe(0)
  })
})
