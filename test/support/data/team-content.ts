import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import type { TestService } from '../service/service.ts'
import { createUser, join, unique } from './team.ts'

const role = fc.constantFrom('owner' as const, 'member' as const, 'billing' as const)
const days = fc.integer({ min: -150, max: 500 })
/** The content of a team: roles of further members, invoices, tokens and invitations, with times in days before now. */
export const teamData = fc.record({
  members: fc.array(role, { maxLength: 4 }),
  invoices: fc.array(
    fc.record({
      application: fc.constantFrom('cert' as const, 'flow' as const, null),
      status: fc.constantFrom('open' as const, 'paid' as const, 'uncollectible' as const, 'void' as const),
      currency: fc.constantFrom('eur', 'jpy'),
      subtotal: fc.bigInt({ min: 0n, max: 1_000_000n }),
      tax: fc.bigInt({ min: 0n, max: 1000n }),
      amountPaid: fc.bigInt({ min: 0n, max: 500n }),
      issued: fc.nat(700),
      due: fc.option(fc.integer({ min: -60, max: 60 }), { nil: null }),
    }),
    { maxLength: 12 },
  ),
  tokens: fc.array(
    fc.record({
      scopes: fc.uniqueArray(fc.constantFrom('teams', 'acct:team:read', 'flow:rules:read'), { minLength: 1 }),
      created: fc.nat(500),
      used: fc.option(fc.nat(200), { nil: null }),
      expires: fc.option(days, { nil: null }),
      revoked: fc.option(fc.nat(20), { nil: null, freq: 1 }),
    }),
    { maxLength: 12 },
  ),
  invitations: fc.array(
    fc.record({
      role,
      status: fc.constantFrom('pending' as const, 'accepted' as const, 'revoked' as const),
      expires: fc.integer({ min: -9, max: 9 }),
    }),
    { maxLength: 8 },
  ),
})
export type TeamData = typeof teamData extends fc.Arbitrary<infer Data> ? Data : never

/** Writes the content of a team. */
export async function fillTeam(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  team: Team,
  owner: User,
  { members, invoices, tokens, invitations }: TeamData,
): Promise<void> {
  const { prisma } = database
  // Half a day off, so that no time falls on the border of a group.
  const daysAgo = (days: number) => new Date(clock.now().getTime() - (days + 0.5) * 86_400_000)
  for (const each of members) await join(database, team, await createUser(database), each)
  await prisma.invoice.createMany({
    data: invoices.map(({ issued, due, ...invoice }, index) => {
      return {
        ...invoice,
        teamId: team.id,
        number: String(index),
        invoiceDate: daysAgo(issued),
        dueDate: due === null ? null : daysAgo(due),
      }
    }),
  })
  const instantOf = (offset: number | null) => (offset === null ? null : daysAgo(offset))
  await prisma.accessToken.createMany({
    data: tokens.map(({ scopes, created, used, expires, revoked }) => {
      const times = {
        createdAt: daysAgo(created),
        lastUsedAt: instantOf(used),
        expiresAt: instantOf(expires),
        revokedAt: instantOf(revoked),
      }
      return { kind: 'team', name: 'ci', teamId: team.id, hash: randomBytes(32), scopes, ...times }
    }),
  })
  await prisma.invitation.createMany({
    data: invitations.map(({ expires, ...invitation }) => {
      const link = { tokenHash: randomBytes(32), nonce: Buffer.alloc(16), sentAt: clock.now(), expiresAt: daysAgo(expires) }
      return { ...invitation, ...link, teamId: team.id, email: `${unique('guest')}@example.test`, invitedById: owner.id }
    }),
  })
}
