import { expect, test } from 'vitest'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { referencesToDeletedUsers } from '../../support/data/records/stored-columns.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { mutate } from '../../support/http/mutate.ts'
import { request } from '../../support/http/request.ts'
import { everythingStored } from '../../support/mail/mailing-service.ts'
import { seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { createStaff } from '../../support/graphql/staff/staff.ts'
import { scim, verifyDomain } from '../../support/scim/directory.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { retention } from '../../support/service/test-settings.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const minute = 60_000
const cleanUp = (ahead: number) =>
  createCleanup({
    database,
    retention,
    now: () => new Date(clock.now().getTime() + ahead),
    report: (error) => expect.fail(String(error)),
  }).run()

/** Creates a user whose name and address are found in many tables. */
async function createTraces() {
  const user = await createUser(database, { name: 'Zebulon "Zeb" Quartz', email: 'zebulon.quartz@corp.example' })
  const { id, name, email } = user
  const { team, owner, token } = await createOwnedTeam(database)
  await join(database, team, user, 'owner')
  await createGrant(database, user)
  const own = await personalToken(database, user)
  const change = (value: string, mutation: string) => mutate(service, value, `mutation { ${mutation} }`)
  await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token: own, body: { name: 'Renamed', gravatar_email: email } })
  const invitation = { email: 'other@example.test', role: 'member' }
  await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token: own, body: invitation })
  await change(token, `updateMember(input: { team: "${team.slug}", userId: "${id}", role: MEMBER }) { member { id: userId } }`)
  await verifyDomain(service, team, 'corp.example')
  const directory = await teamToken(database, team, { scopes: ['acct:team:scim'] })
  const person = { userName: email, externalId: 'quartz', name: { familyName: 'Quartz' }, emails: [{ value: email, primary: true }] }
  expect(await scim(service, directory, 'PUT', `/Users/${id}`, person)).toMatchObject({ status: 200 })
  const group = { displayName: 'Engineering', members: [{ value: id, display: name }] }
  expect(await scim(service, directory, 'POST', '/Groups', group)).toMatchObject({ status: 201 })
  const identity = { providerId: await seedProvider(service, team), subject: 'zeb.quartz', userId: id, email, lastSignInAt: clock.now() }
  await prisma.externalIdentity.create({ data: identity })
  const other = await createOwnedTeam(database)
  const body = { email, role: 'member' }
  await request(service, 'POST', `/api/v1/teams/${other.team.slug}/invitations`, { token: other.token, body })
  const profile = 'mutation ($name: String!) { updateProfile(input: { name: $name }) { errors { __typename } } }'
  await executeAs(service, await sessionOf(service, user), profile, { name: 'Zeb Quartz' })
  await executeAs(service, await sessionOf(service, user), profile, { name })
  return { user, team, owner }
}

const deleteUser = 'mutation ($email: String!) { deleteUser(input: { email: $email }) { user { id: userId } } }'
const traces = /quartz/i

test('no table contains the name or address of a deleted account after the cleanup', async () => {
  const { user, team, owner } = await createTraces()
  const invoice = await createInvoice(database, team)
  const before = await prisma.auditEntry.findMany({ orderBy: { id: 'asc' } })
  expect(await everythingStored(database)).toMatch(traces)
  expect((await executeAs(service, operator, deleteUser, { email: user.email })).refusal).toBeNull()
  await cleanUp(0)
  expect(await prisma.erasure.count()).toBe(1)
  await cleanUp(2 * minute)
  const stored = await everythingStored(database)
  expect(stored.split('\n').filter((row) => traces.test(row))).toEqual([])

  const pseudonym = `Deleted user ${user.id.slice(0, 8)}`
  const after = await prisma.auditEntry.findMany({ where: { id: { in: before.map(({ id }) => id) } }, orderBy: { id: 'asc' } })
  const kept = ({ id, at, action, actorUserId, teamId, requestId }: (typeof before)[number]) =>
    Object.values({ id, at, action, actorUserId, teamId, requestId })
  expect(after.map(kept)).toEqual(before.map(kept))
  const names = new Set(after.filter(({ actorUserId }) => actorUserId === user.id).map(({ actorName }) => actorName))
  expect([...names]).toEqual([pseudonym])
  expect(after.find(({ action, actorUserId }) => action === 'updateMember' && actorUserId === owner.id)).toMatchObject({
    actorName: owner.name,
    subject: user.id,
    subjectName: pseudonym,
    before: { role: 'owner' },
  })
  expect(after.find(({ action, subjectName }) => action === 'inviteMember' && subjectName === pseudonym)).toBeDefined()
  expect(await prisma.invoice.findUniqueOrThrow({ where: { id: invoice.id }, include: { lines: true } })).toEqual(invoice)
})

test('the reasons of staff for acts on a deleted account are erased, and its address in those of a team', async () => {
  const user = await createUser(database, { email: 'reasoned@quartz.example' })
  const other = await createUser(database)
  const { team, token } = await createOwnedTeam(database)
  const staff = await createStaff(database, { staffRole: 'admin' })
  const act = async (mutation: string, variables: Record<string, string>) =>
    expect((await executeAs(service, await sessionOf(service, staff), mutation, variables)).refusal).toBeNull()
  const disable =
    'mutation ($email: String!, $reason: String!) { disableUser(input: { email: $email, reason: $reason }) { user { email } } }'
  await act(disable, { email: user.email, reason: 'Someone else has the password' })
  await act(disable, { email: other.email, reason: 'Ticket 1' })
  await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email: user.email, role: 'member' } })
  const { id } = await prisma.invitation.findFirstOrThrow({ where: { teamId: team.id } })
  const resend =
    'mutation ($id: ID!, $reason: String!) { resendInvitation(input: { id: $id, reason: $reason }) { invitation { id: invitationId } } }'
  await act(resend, { id, reason: `${user.email} asked for it` })
  expect((await executeAs(service, operator, deleteUser, { email: user.email })).refusal).toBeNull()
  const readReasons = async () =>
    (await prisma.auditEntry.findMany({ where: { actorUserId: staff.id, actorKind: 'staff' }, orderBy: { at: 'asc' } })).map(
      ({ action, subject, reason }) => [action, subject, reason],
    )
  expect((await readReasons())[0]).toEqual(['disableUser', user.id, 'Someone else has the password'])
  await cleanUp(2 * minute)
  expect(await readReasons()).toEqual([
    ['disableUser', user.id, null],
    ['disableUser', other.id, 'Ticket 1'],
    ['resendInvitation', id, `Deleted user ${user.id.slice(0, 8)} asked for it`],
  ])
})

test('an address that ends with that of a deleted account is kept', async () => {
  const user = await createUser(database, { email: 'may@kept.example' })
  const { team, token } = await createOwnedTeam(database)
  const invite = (email: string) =>
    request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body: { email, role: 'member' } })
  for (const email of [user.email, 'amay@kept.example']) expect((await invite(email)).status).toBe(204)
  expect((await executeAs(service, operator, deleteUser, { email: user.email })).refusal).toBeNull()
  await cleanUp(2 * minute)
  const entries = await prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'inviteMember' }, orderBy: { at: 'asc' } })
  expect(entries.map(({ subjectName }) => subjectName)).toEqual([`Deleted user ${user.id.slice(0, 8)}`, 'amay@kept.example'])
})

test('the cleanup replaces the name in more entries than fit in a batch, and erases several accounts in one run', async () => {
  const users = [await createUser(database, { name: 'Una Quartz' }), await createUser(database, { name: 'Duo Quartz' })]
  const entry = { action: 'createTeam', actorKind: 'user', authenticationMethod: 'session', subject: 'x', requestId: 'r' }
  await prisma.auditEntry.createMany({
    data: Array.from({ length: 2100 }, (_, index) => {
      const { id, name } = users[index % 2] ?? { id: null, name: '' }
      return { ...entry, at: clock.now(), actorUserId: id, actorName: name }
    }),
  })
  for (const { email } of users) await executeAs(service, operator, deleteUser, { email })
  await cleanUp(2 * minute)
  expect(await prisma.auditEntry.count({ where: { actorName: { contains: 'Quartz' } } })).toBe(0)
  for (const { id } of users) expect(await prisma.auditEntry.count({ where: { actorName: `Deleted user ${id.slice(0, 8)}` } })).toBe(1050)
  expect(await prisma.erasure.count()).toBe(0)
})

test('each column that refers to a user goes with the account, or is listed with the reason', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     LEFT JOIN pg_attribute a ON a.attrelid = format('public.%I', c.table_name)::regclass AND a.attname = c.column_name
     LEFT JOIN pg_constraint f ON f.conrelid = a.attrelid AND f.conkey[1] = a.attnum AND f.contype = 'f' AND f.confrelid = 'users'::regclass
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       AND (f.oid IS NOT NULL OR c.column_name ~ '(^|_)(user|account|person)_id$' OR c.column_name ~ '_by_id$') AND f.confdeltype IS DISTINCT FROM 'c'`,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(referencesToDeletedUsers).toSorted())
})
