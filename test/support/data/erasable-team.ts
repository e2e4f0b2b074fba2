import { randomBytes, randomUUID } from 'node:crypto'
import { createInitialAccess } from '../agents/initial-access.ts'
import { createIdentity } from '../identities/identity.ts'
import { seedProvider } from '../identity-providers/seed-provider.ts'
import { createTeamClient } from '../oauth/clients/machines.ts'
import { createGrant } from '../oauth/oauth-rows.ts'
import type { TestService } from '../service/service.ts'
import { createWebhook } from '../webhooks/webhook.ts'
import { createSupportSession } from './support-session.ts'
import { createOwnedTeam, teamToken } from './team.ts'

const day = 86_400_000

/** Creates a team that has content of every kind and was deleted at `deletedAt`. */
export async function createErasableTeam(service: TestService, deletedAt: Date | null, hasInvoice = true) {
  const { database, clock } = service
  const { prisma } = database
  const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds)
  const { team, owner } = await createOwnedTeam(database, { name: 'Ada’s team', timezone: 'UTC', gravatarEmail: 'ada@example.test' })
  const teamId = team.id
  await teamToken(database, team)
  await createIdentity(service, team)
  await createInitialAccess(database, team)
  await createSupportSession(database, team, owner, { now: clock.now() })
  await createWebhook(service, team, 'https://hooks.example.com/')
  await createTeamClient(database, team)
  const logoId = randomUUID()
  await prisma.picture.create({ data: { id: logoId, teamId, large: Buffer.alloc(1), small: Buffer.alloc(1) } })
  const signInProviderId = await seedProvider({ database }, team)
  await prisma.teamDomain.create({ data: { teamId, domain: `${team.slug}.example`, value: 'x' } })
  await prisma.groupRole.create({ data: { teamId, group: 'Engineering', role: 'member' } })
  const times = { createdAt: ago(day), updatedAt: ago(day) }
  await prisma.scimUser.create({ data: { teamId, userId: owner.id, userName: owner.email, attributes: {}, ...times } })
  const members = { create: { teamId, userId: owner.id } }
  await prisma.scimGroup.create({ data: { teamId, displayName: 'Engineering', members, ...times } })
  await prisma.directoryRemoval.create({ data: { teamId, keyHash: randomBytes(32), userId: owner.id } })
  await prisma.directoryError.create({
    data: { teamId, at: ago(day), method: 'GET', path: '/scim/v2/Users/{id}', status: 404, detail: 'The resource does not exist.' },
  })
  const { id: grantId } = await createGrant(database, owner, { team })
  const secrets = { tokenHash: randomBytes(32), nonce: randomBytes(16), sentAt: ago(day), expiresAt: ago(-day) }
  await prisma.invitation.create({ data: { teamId, email: 'guest@example.test', role: 'member', ...secrets } })
  await prisma.connectedApp.create({ data: { teamId, application: 'flow', name: 'Flow' } })
  const invoice = { teamId, number: '1', status: 'paid', currency: 'eur', subtotal: 100, invoiceDate: ago(day) } as const
  const line = { position: 0, description: 'Seats', quantity: 1, unitAmount: 100 }
  if (hasInvoice) await prisma.invoice.create({ data: { ...invoice, lines: { create: line } } })
  await prisma.team.update({
    where: { id: teamId },
    data: {
      deletedAt,
      logoId,
      signInProviderId,
      signInRequiredAt: ago(day),
      signInRequirementSetAt: ago(day),
      billingName: 'Ada Ltd',
      billingAddress: '1 Main Street',
      vatId: 'DE123456789',
      invoiceRecipients: ['ada@example.test'],
      agentHosts: ['agent.example.com'],
    },
  })
  return { id: teamId, slug: team.slug, grantId }
}
