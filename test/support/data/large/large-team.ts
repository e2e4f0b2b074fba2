import { randomBytes, randomUUID } from 'node:crypto'
import type { OpenDatabase } from '../../../../prisma/connection/database.ts'
import type { Team } from '../../../../prisma/generated/client/client.ts'
import { tokenScopes } from '../../../../schema/core/scopes.ts'
import { unique } from '../team.ts'

const names = ['Ada Moreau', 'Ben Okafor', 'Chiara Rossi', 'Đặng Thị Hương', 'Émile Durand-Lefèvre', 'Frieda von Hohenstein']
const day = 86_400_000

/**
 * Adds 1,000 members, 300 team tokens, 300 personal tokens of members, 1,000 invoices in three currencies, 300 invitations and 1,000
 * audit entries to a team. Returns the identifiers of the members.
 */
export async function enlargeTeam({ prisma }: OpenDatabase, team: Team, now: Date): Promise<string[]> {
  const run = unique('run')
  const users = Array.from({ length: 1000 }, (_, index) => ({
    id: randomUUID(),
    name: `${names[index % names.length]} ${index}`,
    email: `firstname.lastname.${index}@${run}.example.com`,
    emailVerified: true,
  }))
  await prisma.user.createMany({ data: users })
  const roles = ['member', 'member', 'billing', 'owner'] as const
  await prisma.member.createMany({
    data: users.map(({ id }, index) => ({
      teamId: team.id,
      userId: id,
      role: roles[index % 4] ?? 'member',
      allApplications: index % 3 > 0,
      applications: index % 3 === 0 ? (['deploy', 'cert', 'flow', 'backup'] as const).slice(0, 1 + (index % 4)) : [],
      joinedAt: new Date(now.getTime() - (1000 - index) * day),
    })),
  })
  const token = (index: number, owner: { teamId: string } | { userId: string }) => ({
    kind: 'teamId' in owner ? ('team' as const) : ('personal' as const),
    ...owner,
    name: `Deployment pipeline ${index}`,
    hash: new Uint8Array(randomBytes(32)),
    lastFour: String(index).padStart(4, '0'),
    scopes: [...tokenScopes].slice(0, 1 + (index % tokenScopes.length)),
    createdById: users[index]?.id ?? null,
    createdAt: new Date(now.getTime() - index * day),
    lastUsedAt: index % 5 === 0 ? null : new Date(now.getTime() - index * 3_600_000),
    expiresAt: new Date(now.getTime() + (1 + index) * day),
  })
  const tokensOf = (ownerOf: (user: { id: string }) => { teamId: string } | { userId: string }) =>
    prisma.accessToken.createMany({ data: users.slice(0, 300).map((user, index) => token(index, ownerOf(user))) })
  await tokensOf(() => ({ teamId: team.id }))
  await tokensOf(({ id }) => ({ userId: id }))
  await prisma.invoice.createMany({ data: Array.from({ length: 1000 }, (_, index) => ({ teamId: team.id, ...invoice(index, now) })) })
  await prisma.invitation.createMany({
    data: Array.from({ length: 300 }, (_, index) => ({ teamId: team.id, ...invitation(index, run, now) })),
  })
  await prisma.auditEntry.createMany({ data: Array.from({ length: 1000 }, (_, index) => ({ teamId: team.id, ...auditEntry(index, now) })) })
  return users.map(({ id }) => id)
}

type Status = 'open' | 'paid' | 'uncollectible' | 'void'

function invoice(index: number, now: Date) {
  const issuedAt = now.getTime() - index * 2 * day
  const isOpen = index < 12 || index % 90 === 0
  const status: Status = isOpen ? 'open' : ((['paid', 'paid', 'paid', 'uncollectible', 'void'] as const)[index % 5] ?? 'paid')
  return {
    number: `INV-2026-${String(index).padStart(5, '0')}`,
    status,
    application: (['deploy', 'cert', 'flow', null] as const)[index % 4] ?? null,
    currency: ['eur', 'usd', 'jpy'][index % 3] ?? 'eur',
    subtotal: 10_000 + index * 137,
    tax: 1900,
    amountPaid: status === 'paid' ? 11_900 + index * 137 : 0,
    invoiceDate: new Date(issuedAt),
    dueDate: new Date(issuedAt + 14 * day),
    paidAt: status === 'paid' ? new Date(issuedAt + 9 * day) : null,
  }
}

const invitation = (index: number, run: string, now: Date) => ({
  email: `invited.guest.${index}@${run}.example.com`,
  role: (['member', 'billing'] as const)[index % 2] ?? 'member',
  status: (['pending', 'accepted', 'declined', 'revoked'] as const)[index % 4] ?? 'pending',
  tokenHash: new Uint8Array(randomBytes(32)),
  nonce: new Uint8Array(randomBytes(16)),
  createdAt: new Date(now.getTime() - index * day),
  sentAt: new Date(now.getTime() - index * day),
  expiresAt: new Date(now.getTime() + (7 - index) * day),
  answeredAt: index % 4 === 0 ? null : new Date(now.getTime() - index * day + 3_600_000),
})

const auditEntry = (index: number, now: Date) => ({
  at: new Date(now.getTime() - index * 3_600_000),
  action: ['updateMember', 'createTeamToken', 'inviteMember', 'updateTeam'][index % 4] ?? 'updateMember',
  actorKind: 'user',
  actorName: names[index % names.length] ?? 'Ada',
  authenticationMethod: 'session',
  subject: randomUUID(),
  subjectName: `Deployment pipeline ${index}`,
  before: { role: 'member', accessibleAppIds: ['deploy', 'cert'] },
  after: { role: 'billing', accessibleAppIds: null },
  requestId: randomUUID(),
})
