import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createPasskeyOwner } from '../../support/account-site/passkey-owner.ts'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { sentBy } from '../../support/mail/sent.ts'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { useService } from '../../support/service/service.ts'

// A directory gives the address of somebody who left, or has another one by now, to a new user.

const service = useService({ hostname: 'localhost' })
const { database } = service
const { prisma } = database
const { messageOf } = sentBy(service)

type Directory = Awaited<ReturnType<typeof createDirectory>>
const setActive = ({ send }: Directory, id: string, value: boolean) =>
  send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value }))
const rename = ({ send, domain }: Directory, id: string) => {
  const address = `sam.old@${domain}`
  return send(
    'PATCH',
    `/Users/${id}`,
    patchOf({ op: 'replace', value: { userName: address, emails: [{ value: address, primary: true }] } }),
  )
}
/** Entra ID puts the identifier of a deleted user in front of the user name, and the address may stay. */
const deleteSoftly = (directory: Directory, id: string) =>
  directory.send(
    'PATCH',
    `/Users/${id}`,
    patchOf(
      { op: 'replace', path: 'userName', value: `0ab1${id.slice(0, 8)}sam@${directory.domain}` },
      { op: 'Replace', path: 'active', value: 'False' },
    ),
  )
const memberOf = ({ team }: Directory, userId: string) =>
  prisma.member.findUnique({ where: { teamId_userId: { teamId: team.id, userId } }, select: { role: true } })

test.each<[string, (directory: Directory, id: string) => Promise<{ status: number }>, boolean]>([
  ['deactivated under another name', deleteSoftly, false],
  ['renamed', rename, true],
  ['deleted', ({ send }, id) => send('DELETE', `/Users/${id}`), false],
])('the address of a user who was %s belongs to the next user with it', async (_, change, isMember) => {
  const directory = await createDirectory(service)
  const { team, owner, domain, send, provision } = directory
  const address = `sam@${domain}`
  const { id } = await provision('sam', { externalId: 'first' })
  const first = await prisma.user.findUniqueOrThrow({ where: { id } })
  await createPasskeyOwner(service, first, new Authenticator(service.url))
  await join(database, await createTeam(database), first, 'owner')
  await change(directory, id)
  expect((await send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${address}"`)}`)).body).toMatchObject({ totalResults: 0 })
  const mails = service.mails.length
  const next = await provision('sam', { externalId: 'second' })
  expect(next.id).not.toBe(id)
  expect(await prisma.user.findUniqueOrThrow({ where: { id: next.id } })).toMatchObject({
    email: address,
    emailVerified: true,
    createdByTeamId: team.id,
  })
  expect(await prisma.user.findUniqueOrThrow({ where: { id }, include: { passkeys: true, memberships: true } })).toMatchObject({
    email: `${id}@no-address.invalid`,
    emailVerified: false,
    name: first.name,
    passkeys: [{ name: 'Laptop' }],
    memberships: expect.arrayContaining([expect.objectContaining({ role: 'owner' })]),
  })
  expect([await memberOf(directory, id), await memberOf(directory, next.id)]).toEqual([
    isMember ? { role: 'member' } : null,
    { role: 'member' },
  ])
  const entries = await prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'moveAddress' } })
  expect(entries).toMatchObject([
    {
      subject: id,
      subjectName: address,
      before: { email: address },
      after: { movedTo: next.id },
      actorKind: 'team',
      actorName: 'Directory',
    },
  ])
  const sent = service.mails.slice(mails).filter((mail) => mail.kind === 'address-moved')
  expect(sent).toMatchObject([{ userId: owner.id }])
  const message = await messageOf(sent[0])
  expect(message).toMatchObject({ to: owner.email, subject: `Acme: ${address} belongs to a new account` })
  expect(message.text).toContain(`says that the email address ${address} now belongs to another person.`)
})

describe('the same person', () => {
  test('gets the same account again, if the directory deleted the user and has the same identifier', async () => {
    const directory = await createDirectory(service)
    const { send, provision } = directory
    const { id } = await provision('sam', { externalId: 'same' })
    await send('DELETE', `/Users/${id}`)
    expect((await provision('sam', { externalId: 'same' })).id).toBe(id)
    expect(await memberOf(directory, id)).toEqual({ role: 'member' })
  })

  test('is a user already, if that user is active and has the address', async () => {
    const { domain, send, provision } = await createDirectory(service)
    await provision('sam')
    const body = { userName: 'another', emails: [{ value: `sam@${domain}` }] }
    expect(await send('POST', '/Users', body)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  test('is active again, if the identifier is that of a user who was deactivated under another name', async () => {
    const directory = await createDirectory(service)
    const { id } = await directory.provision('sam', { externalId: 'same' })
    await deleteSoftly(directory, id)
    expect((await directory.provision('sam', { externalId: 'same' })).id).toBe(id)
    expect(await memberOf(directory, id)).toEqual({ role: 'member' })
  })

  test('is active again under a new address after the old one was given to a new user', async () => {
    const directory = await createDirectory(service)
    const { send, provision } = directory
    const { id } = await provision('sam')
    await deleteSoftly(directory, id)
    const next = await provision('sam')
    expect((await setActive(directory, id, true)).status).toBe(200)
    expect((await rename(directory, id)).status).toBe(200)
    expect([await memberOf(directory, id), await memberOf(directory, next.id)]).toEqual([{ role: 'member' }, { role: 'member' }])
    expect((await send('GET', `/Users/${id}`)).body).toMatchObject({ active: true, userName: expect.stringContaining('sam.old@') })
  })
})

test('a directory does not take the address of an account that it has never had, even of an owner of another team', async () => {
  const directory = await createDirectory(service)
  const user = await createUser(database, { email: `sam@${directory.domain}` })
  await join(database, await createTeam(database), user, 'owner')
  expect((await directory.provision('sam')).id).toBe(user.id)
})

test('a directory does not take the address of a user of the directory of another team', async () => {
  const [one, other] = [await createDirectory(service), await createDirectory(service)]
  const { id } = await one.provision('sam')
  await setActive(one, id, false)
  // Outside its own domains it invites the person, who proves the address.
  expect(await other.send('POST', '/Users', { userName: `sam@${one.domain}` })).toMatchObject({ status: 201 })
  expect(await prisma.member.count({ where: { teamId: other.team.id, userId: id } })).toBe(0)
  expect(await prisma.user.findUniqueOrThrow({ where: { id } })).toMatchObject({ email: `sam@${one.domain}` })
})

test('does not take the address of an account that an operator disabled', async () => {
  const directory = await createDirectory(service)
  const { id } = await directory.provision('sam')
  await deleteSoftly(directory, id)
  await prisma.user.update({ where: { id }, data: { disabledAt: new Date() } })
  expect(await directory.send('POST', '/Users', { userName: `sam@${directory.domain}` })).toMatchObject({ status: 409 })
})

test('links that were mailed to the address no longer open the account that had it', async () => {
  const directory = await createDirectory(service)
  const { id } = await directory.provision('sam')
  const expiresAt = new Date(service.clock.now().getTime() + 3_600_000)
  const link = { userId: id, email: `sam@${directory.domain}`, nonce: new Uint8Array(16), createdAt: service.clock.now(), expiresAt }
  for (const kind of ['reset_password', 'verify_email'] as const)
    await prisma.mailLink.create({ data: { ...link, kind, tokenHash: sha256(`${kind} ${id}`) } })
  await deleteSoftly(directory, id)
  await directory.provision('sam')
  expect(await prisma.mailLink.count({ where: { userId: id, expiresAt: { gt: service.clock.now() } } })).toBe(0)
})

test('of several newcomers with one address at the same time, one gets it, and the others are refused', async () => {
  const directory = await createDirectory(service)
  const { id } = await directory.provision('sam')
  await deleteSoftly(directory, id)
  const create = (n: number) => directory.send('POST', '/Users', { userName: `sam@${directory.domain}`, externalId: `new-${n}` })
  const statuses = (await Promise.all([1, 2, 3, 4].map(create))).map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409])
  expect(await prisma.auditEntry.count({ where: { teamId: directory.team.id, action: 'moveAddress' } })).toBe(1)
})
