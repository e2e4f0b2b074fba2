import { expect, test } from 'vitest'
import { createSession, createTrustedDevice } from '../../support/data/session-row.ts'
import { createOwnedTeam, createUser, teamToken } from '../../support/data/team.ts'
import { requestPasswordReset } from '../../support/graphql/scenarios/account-scenarios.ts'
import { request } from '../../support/http/request.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { scim, verifyDomain } from '../../support/scim/directory.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const minutes = 60_000
const requestSignInCode = 'mutation ($input: RequestSignInCodeInput!) { requestSignInCode(input: $input) { email } }'

test('exportAccount and exportUser return everything that is stored about a user, without values that authenticate, and are audited', async () => {
  const { team, owner, token } = await createOwnedTeam(database)
  const other = await createOwnedTeam(database)
  await database.prisma.user.update({ where: { id: owner.id }, data: { lastActiveAt: '2100-01-01T00:00:00Z' } })
  await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name: 'Renamed' } })
  const invitation = { email: owner.email, role: 'member' }
  await request(service, 'POST', `/api/v1/teams/${other.team.slug}/invitations`, { token: other.token, body: invitation })
  const session = await createSession(database, owner)
  const device = await createTrustedDevice(database, owner)
  const grant = await createGrant(database, owner, { team })
  const identity = { userId: owner.id, social: 'google' as const, subject: 'g-1', email: 'ada@gmail.test' }
  await database.prisma.externalIdentity.create({ data: { ...identity, lastSignInAt: service.clock.now() } })
  const directory = await teamToken(database, team, { scopes: ['acct:team:scim'] })
  await verifyDomain(service, team, owner.email.replace(/.*@/, ''))
  const record = { userName: 'ada', externalId: 'a-1', name: { familyName: 'Lovelace' }, emails: [{ value: owner.email, primary: true }] }
  expect((await scim(service, directory, 'PUT', `/Users/${owner.id}`, record)).status).toBe(200)
  await scim(service, directory, 'POST', '/Groups', { displayName: 'Engineering', members: [{ value: owner.id }] })
  const principal = await sessionOf(service, owner)
  const own = await executeAs(service, principal, 'mutation { exportAccount { data } }')
  const data = JSON.parse(own.data.exportAccount.data)
  expect(data.profile).toMatchObject({
    id: owner.id,
    email: owner.email,
    name: owner.name,
    has_password: false,
    last_active_at: '2100-01-01T00:00:00+00:00',
  })
  expect(data.memberships).toMatchObject([{ team: team.slug, team_name: 'Renamed', role: 'owner' }])
  expect(data.invitations).toMatchObject([{ team: other.team.slug, email: owner.email, role: 'member', status: 'pending' }])
  expect(data.sessions).toMatchObject([{ id: session.id, address: session.address, user_agent: session.userAgent }])
  expect(data.trusted_devices).toMatchObject([{ id: device.id }])
  expect(data.passkeys).toEqual([])
  expect(data.external_identities).toMatchObject([{ provider: 'google', team: null, subject: 'g-1', email: 'ada@gmail.test' }])
  expect(data.directory_records).toMatchObject([
    { team: team.slug, user_name: 'ada', external_id: 'a-1', attributes: { name: { familyName: 'Lovelace' } }, groups: ['Engineering'] },
  ])
  expect(data.tokens).toMatchObject([{ name: 'test', last_four: token.slice(-4), revoked_at: null }])
  expect(data.grants).toMatchObject([{ id: grant.id, team: team.slug }])
  expect(data.audit_entries).toMatchObject([{ action: 'updateTeam', team: team.slug, after: { name: 'Renamed' } }])
  expect(Object.keys(data.tokens[0])).not.toContain('hash')

  const document = 'mutation ($email: String!) { exportUser(input: { email: $email }) { data } }'
  const byOperator = await executeAs(service, operator, document, { email: owner.email })
  const { audit_entries: entries, ...others } = JSON.parse(byOperator.data.exportUser.data)
  const { audit_entries: _, ...same } = data
  expect(others).toEqual(same)
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(['updateTeam', 'exportAccount'])
  expect(await database.prisma.auditEntry.count({ where: { subject: owner.id, action: { in: ['exportAccount', 'exportUser'] } } })).toBe(2)
})

test('exportAccount does not reveal which other email addresses have an account', async () => {
  const [user, other] = [await createUser(database), await createUser(database)]
  const principal = await sessionOf(service, user)
  for (const { email } of [user, other]) {
    await executeAs(service, principal, requestPasswordReset, { input: { email } })
    await executeAs(service, principal, requestSignInCode, { input: { email } })
  }
  expect(await database.prisma.auditEntry.count({ where: { actorUserId: user.id } })).toBe(4)
  const { data } = await executeAs(service, principal, 'mutation { exportAccount { data } }')
  expect(JSON.parse(data.exportAccount.data).audit_entries).toMatchObject([
    { action: 'requestPasswordReset', subject: user.id },
    { action: 'requestSignInCode', subject: user.id },
  ])
})

test('exportAccount needs a recent sign-in', async () => {
  const { owner } = await createOwnedTeam(database)
  const principal = { ...(await sessionOf(service, owner)), authenticatedAt: new Date(service.clock.now().getTime() - 60 * minutes) }
  const { refusal } = await executeAs(service, principal, 'mutation { exportAccount { data } }')
  expect(refusal?.code).toBe('recent_sign_in_required')
})
