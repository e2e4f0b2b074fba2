import { beforeAll, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { globalId } from '../../../schema/core/global-id.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { createFullAccount, minutesFrom } from '../../support/graphql/full-account.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database
let token: string
beforeAll(async () => {
  token = await staffToken(database, await createStaff(database))
})

const everything = `user { userId email name emailVerified disabledAt deletionRequestedAt staffRole } hasPassword lastActiveAt
  secondFactor { isOn hasTotp totpSince passkeys recoveryCodesLeft trustedDevices }
  sessionCount sessions { device createdAt authenticatedAt lastUsedAt methods providers skippedSecondFactor provedTwoFactor ownProof }
  membershipCount memberships { team { slug name members { total } } role joinedAt }
  identities { providerName teamName email createdAt lastSignInAt } connectedAppCount grants { grantId clientName teamName createdAt lastUsedAt } personalTokenCount
  personalTokens { tokenId name hint createdAt lastUsedAt expiresAt }
  pendingLinks { kind email createdAt expiresAt } failedAttempts { step attempts endsAt }
  failedSignIns { method reason count firstAt lastAt }
  activity { at actionName actorKind actorName authenticationMethod subject subjectName reason before after }`

const read = async ({ id }: Pick<User, 'id'>, selection = everything) => {
  const { data, errors } = await graphql(service, token, `{ staff { account(id: "${id}") { ${selection} } } }`)
  expect(errors).toEqual([])
  return data.staff.account
}

const at = minutesFrom(service)
test('an account that has nothing yet', async () => {
  const user = await createUser(database, { emailVerified: false })
  expect(await read(user)).toEqual({
    user: expect.objectContaining({ userId: user.id, email: user.email, emailVerified: false, disabledAt: null, staffRole: null }),
    hasPassword: false,
    lastActiveAt: null,
    secondFactor: { isOn: false, hasTotp: false, totpSince: null, passkeys: 0, recoveryCodesLeft: 0, trustedDevices: 0 },
    sessionCount: 0,
    sessions: [],
    membershipCount: 0,
    memberships: [],
    identities: [],
    connectedAppCount: 0,
    grants: [],
    personalTokenCount: 0,
    personalTokens: [],
    pendingLinks: [],
    failedAttempts: [],
    failedSignIns: [],
    activity: [],
  })
})

test('the state of an account, without values that authenticate, addresses of browsers and identifiers of sessions', async () => {
  const { user, team, sessionId, value } = await createFullAccount(service)
  const entry = { actorKind: 'user', actorName: 'Ada', authenticationMethod: 'session', requestId: 'r' }
  const confirmed = { ...entry, action: 'confirmTotp', subject: user.id, actorUserId: user.id, at: at(-20) }
  await prisma.auditEntry.create({ data: confirmed })
  await prisma.auditEntry.create({
    data: { ...entry, action: 'updateTeam', teamId: team.id, subject: team.slug, actorUserId: user.id, at: at(-4) },
  })
  await prisma.auditEntry.create({ data: { ...entry, action: 'updateMember', teamId: team.id, subject: user.id, at: at(-2) } })
  await prisma.auditEntry.create({ data: { ...entry, action: 'createToken', subject: 'other', at: at(-1) } })
  const account = await read(user)
  expect(account).toEqual({
    user: {
      userId: user.id,
      email: user.email,
      name: 'Ada',
      emailVerified: true,
      disabledAt: null,
      deletionRequestedAt: at(-5).toISOString(),
      staffRole: null,
    },
    hasPassword: true,
    lastActiveAt: null,
    secondFactor: { isOn: true, hasTotp: true, totpSince: at(-20).toISOString(), passkeys: 1, recoveryCodesLeft: 2, trustedDevices: 1 },
    sessionCount: 1,
    sessions: [
      {
        device: 'Firefox on Linux',
        createdAt: at(-60).toISOString(),
        authenticatedAt: at(-30).toISOString(),
        lastUsedAt: at(-2).toISOString(),
        methods: ['pwd', 'otp'],
        providers: ['Okta'],
        skippedSecondFactor: false,
        provedTwoFactor: true,
        ownProof: true,
      },
    ],
    membershipCount: 1,
    memberships: [{ team: { slug: team.slug, name: 'Acme', members: { total: 1 } }, role: 'BILLING', joinedAt: at(-10).toISOString() }],
    identities: [
      {
        providerName: 'Okta',
        teamName: 'Acme',
        email: 'ada@idp.example',
        createdAt: at(-8).toISOString(),
        lastSignInAt: at(-7).toISOString(),
      },
      { providerName: 'GitHub', teamName: null, email: null, createdAt: at(-8).toISOString(), lastSignInAt: at(-9).toISOString() },
    ],
    connectedAppCount: 1,
    grants: [{ grantId: expect.any(String), clientName: 'Dashboard', teamName: null, createdAt: expect.any(String), lastUsedAt: null }],
    personalTokenCount: 1,
    personalTokens: [
      {
        tokenId: expect.any(String),
        name: expect.any(String),
        hint: `pat_…${value.slice(-4)}`,
        createdAt: expect.any(String),
        lastUsedAt: null,
        expiresAt: expect.any(String),
      },
    ],
    pendingLinks: [{ kind: 'RESET_PASSWORD', email: user.email, createdAt: at(-3).toISOString(), expiresAt: at(30).toISOString() }],
    failedAttempts: [],
    failedSignIns: [
      { method: 'PASSWORD', reason: 'WRONG_PASSWORD', count: 2, firstAt: at(-9).toISOString(), lastAt: at(-3).toISOString() },
      { method: 'SECOND_FACTOR', reason: 'WRONG_APP_CODE', count: 1, firstAt: at(-6).toISOString(), lastAt: at(-6).toISOString() },
    ],
    activity: ['updateMember', 'updateTeam', 'confirmTotp'].map((actionName) => expect.objectContaining({ actionName })),
  })
  const text = JSON.stringify(account)
  for (const hidden of [sessionId, '203.0.113.77', value, 'secret', Buffer.from('secret').toString('hex')])
    expect(text).not.toContain(hidden)
})

test('the read is recorded with the account as its subject, and its members of teams in the log of each team', async () => {
  const user = await createUser(database)
  const team = await createTeam(database)
  await join(database, team, user, 'member')
  await read(user, 'memberships { team { slug members { total } } }')
  const entries = await prisma.auditEntry.findMany({
    where: { action: 'readAsStaff', OR: [{ subject: user.id }, { teamId: team.id }] },
    orderBy: { at: 'asc' },
    select: { teamId: true, subject: true, subjectName: true },
  })
  expect(entries).toEqual([
    { teamId: null, subject: user.id, subjectName: 'account' },
    { teamId: team.id, subject: team.slug, subjectName: 'members' },
  ])
})

test('an account is found by its global id, and one that does not exist is not found', async () => {
  const user = await createUser(database)
  expect(await read({ id: globalId({ type: 'User', key: [user.id] }) }, 'user { userId }')).toEqual({ user: { userId: user.id } })
  for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '\\u0000', '']) {
    const { data, errors } = await graphql(service, token, `{ staff { account(id: "${id}") { hasPassword } } }`)
    expect([data.staff.account, errors[0]?.extensions?.code]).toEqual([null, 'not_found'])
  }
})

test('everything about an account is read with three statements besides those of the credential and the audit entry', async () => {
  const { user } = await createFullAccount(service)
  service.statements.length = 0
  await read(user, everything.replace(' members { total }', ''))
  const statements = service.statements.filter((text) => !/last_used_at = u\.at/.test(text))
  const isAudit = (text: string) => /^(BEGIN|COMMIT|INSERT INTO audit_entries)/.test(text)
  expect([statements.filter(isAudit).length <= 3, statements.filter((text) => !isAudit(text)).length]).toEqual([true, 4])
})
