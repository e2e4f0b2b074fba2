import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { deliveryDays } from '../../../schema/webhooks/rules.ts'
import { settings } from '../../../src/config/settings.ts'
import { retentionSettings } from '../../../src/config/declarations/retention-settings.ts'
import { createCleanup } from '../../../src/service/cleanup.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'
import { retention } from '../../support/service/test-settings.ts'
import { insertDelivery } from '../../support/webhooks/delivery-row.ts'

const { database } = useService()
const { prisma } = database
const day = 86_400_000
const now = new Date()
const daysAgo = (days: number) => new Date(now.getTime() - days * day)
const cleanUp = (changes: Partial<typeof retention> = {}) =>
  createCleanup({ database, retention: { ...retention, ...changes }, now: () => now, report: (error) => expect.fail(String(error)) }).run()

const createEntry = (at: Date) =>
  prisma.auditEntry.create({
    data: { at, action: 'createTeam', actorKind: 'user', actorName: 'Ada', authenticationMethod: 'session', subject: 'x', requestId: 'r' },
  })

describe('a cleanup', () => {
  test('deletes audit entries in batches once they are older than AUDIT_DAYS, and keeps all of them with 0', async () => {
    const old = { action: 'createTeam', actorKind: 'user', actorName: 'Ada', authenticationMethod: 'session', subject: 'x', requestId: 'r' }
    await prisma.auditEntry.createMany({ data: Array.from({ length: 2500 }, () => ({ ...old, at: daysAgo(401) })) })
    const { id } = await createEntry(daysAgo(399))
    expect(await cleanUp({ auditDays: 0 })).toBe(0)
    expect(await cleanUp()).toBe(2500)
    expect(await prisma.auditEntry.findMany({ select: { id: true } })).toEqual([{ id }])
    await expect(prisma.auditEntry.deleteMany({ where: { id } })).rejects.toThrow('audit_entries_append_only')
    expect(await cleanUp({ auditDays: 398 })).toBe(1)
  })

  test('deletes refused requests of clients after 7 days', async () => {
    const { id: oauthClientId } = await createClient(database)
    const failure = { oauthClientId, cause: 'scope', sent: 'x', count: 1 }
    for (const days of [7, 8]) await prisma.authorizationFailure.create({ data: { ...failure, day: daysAgo(days), lastAt: daysAgo(days) } })
    expect(await cleanUp()).toBe(1)
    expect(await prisma.authorizationFailure.count()).toBe(1)
  })

  test('deletes deliveries to webhooks after 30 days', async () => {
    const { team } = await createOwnedTeam(database)
    for (const at of [daysAgo(30.01), daysAgo(29.99)]) await insertDelivery(database.pool, team.id, at)
    expect(await cleanUp()).toBe(1)
    expect(await prisma.webhookDelivery.findMany({ select: { at: true } })).toEqual([{ at: daysAgo(29.99) }])
  })

  test('deletes invitations that ended longer ago than ENDED_INVITATION_DAYS, and no pending one', async () => {
    const { team } = await createOwnedTeam(database)
    const create = async (email: string, expiresAt: Date, answered: { status: 'declined'; answeredAt: Date } | null = null) => {
      const secrets = { tokenHash: randomBytes(32), nonce: randomBytes(16), sentAt: daysAgo(100), createdAt: daysAgo(100) }
      await prisma.invitation.create({ data: { teamId: team.id, email, role: 'member', expiresAt, ...secrets, ...answered } })
    }
    await create('expired@example.test', daysAgo(91))
    await create('declined@example.test', daysAgo(1), { status: 'declined', answeredAt: daysAgo(91) })
    await create('recent@example.test', daysAgo(89))
    await create('pending@example.test', daysAgo(-1))
    expect(await cleanUp({ endedInvitationDays: 0 })).toBe(0)
    expect(await cleanUp()).toBe(2)
    const rows = await prisma.invitation.findMany({ select: { email: true }, orderBy: { email: 'asc' } })
    expect(rows.map(({ email }) => email)).toEqual(['pending@example.test', 'recent@example.test'])
  })

  test('erases teams that were deleted longer ago than DELETED_TEAM_DAYS', async () => {
    const { team } = await createOwnedTeam(database)
    await prisma.team.update({ where: { id: team.id }, data: { deletedAt: daysAgo(20) } })
    expect([await cleanUp({ deletedTeamDays: 21 }), await cleanUp({ deletedTeamDays: 19 })]).toEqual([0, 1])
    expect(await prisma.team.findUnique({ where: { id: team.id }, select: { erasedAt: true } })).toEqual({ erasedAt: now })
  })

  test('deletes tokens and grants that ended longer ago than ENDED_TOKEN_DAYS and ENDED_GRANT_DAYS', async () => {
    const { owner } = await createOwnedTeam(database)
    const create = (name: string, expiresAt: Date, revokedAt: Date | null = null) =>
      prisma.accessToken.create({
        data: { kind: 'personal', userId: owner.id, name, hash: randomBytes(32), scopes: [], expiresAt, revokedAt },
      })
    await create('expired', daysAgo(91))
    await create('revoked', daysAgo(-1), daysAgo(91))
    await create('recently revoked', daysAgo(-1), daysAgo(89))
    for (const days of [31, 29]) {
      const { id } = await createGrant(database, owner)
      await prisma.oAuthGrant.update({ where: { id }, data: { revokedAt: daysAgo(days) } })
    }
    expect(await cleanUp({ endedTokenDays: 0, endedGrantDays: 0 })).toBe(0)
    expect(await cleanUp()).toBe(3)
    const names = await prisma.accessToken.findMany({ where: { userId: owner.id }, select: { name: true }, orderBy: { name: 'asc' } })
    expect(names.map(({ name }) => name)).toEqual(['recently revoked', 'test'])
    expect(await prisma.oAuthGrant.count({ where: { userId: owner.id } })).toBe(1)
  })
})

test('docs/operations/privacy.md has a row for each setting about retention, with its default', () => {
  const page = readFileSync('docs/operations/privacy.md', 'utf8')
  const rows = settings.filter(({ key }) => Object.hasOwn(retentionSettings, key))
  expect(rows.map(({ variable }) => variable)).toContain('AUDIT_DAYS')
  for (const { variable, defaultText } of rows) expect(page).toMatch(new RegExp(`\\| ${defaultText} days, \`${variable}\` \\|`))
})

test.each([
  ['docs/operations/privacy.md', 'first 4 KB of each response, also of deleted webhooks | {} days |'],
  ['docs/operations/privacy.md', 'We keep the answers of the recipients for {} days.'],
  ['docs/operations/webhooks.md', 'as far as its record is kept, which is {} days.'],
  ['docs/operations/webhooks.md', 'Response that is kept | 4 KB, for {} days |'],
  ['docs/decisions/webhooks.md', 'The service stores the first 4 KB of each response for {} days.'],
])('%s states for how long deliveries are kept: %s', (page, text) => {
  expect(readFileSync(page, 'utf8')).toContain(text.replace('{}', String(deliveryDays)))
})
