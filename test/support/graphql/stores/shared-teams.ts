import { createHash } from 'node:crypto'
import type { Team, User } from '../../../../prisma/generated/client/client.ts'
import { sessionOf } from '../../service/in-process.ts'
import type { TestService } from '../../service/service.ts'
import type { UserPrincipal } from '../../../../schema/core/principals.ts'
import { createInvoice } from '../../data/invoices/invoice.ts'
import { createSession, createTrustedDevice } from '../../data/session-row.ts'
import { createTeam, createUser, join, personalToken, teamToken } from '../../data/team.ts'
import { createDomain } from '../../domains/domain.ts'
import { seedProvider } from '../../identity-providers/seed-provider.ts'
import { insertDelivery } from '../../webhooks/delivery-row.ts'
import { createGrant } from '../../oauth/oauth-rows.ts'

export interface SharedTeams {
  /** The owner of all teams. */
  owner: User
  teams: Team[]
  /** The owner, signed in to the account site. */
  principal: UserPrincipal
  /** A team of others. */
  foreign: Team
}

/**
 * Creates three teams with an owner in common. Their members, applications, invoices, tokens and other objects have equal properties, or
 * are the same.
 */
export async function createSharedTeams(service: Pick<TestService, 'database' | 'clock'>): Promise<SharedTeams> {
  const { database } = service
  const { prisma } = database
  const owner = await createUser(database)
  const people = await Promise.all(['Grace', 'Alan', 'Barbara'].map((name) => createUser(database, { name })))
  const teams = await Promise.all([1, 2, 3].map(() => createTeam(database)))
  const roles = ['member', 'billing', 'owner'] as const
  for (const [index, team] of teams.entries()) {
    await join(database, team, owner, 'owner')
    // The same person has another role and other applications in each team.
    for (const [offset, person] of people.entries())
      await join(database, team, person, roles[(index + offset) % 3] ?? 'member', offset === index ? null : ['flow'])
    for (const application of ['deploy', 'flow'] as const)
      await prisma.connectedApp.create({ data: { teamId: team.id, application, name: `${application} of ${index}`, status: 'active' } })
    await createInvoice(database, team, { application: 'deploy' }, [1000, 2000 + index])
    await teamToken(database, team)
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { createdById: owner.id } })
    await createInvitation(service, team, owner, 'invited@example.test')
    const identity = { name: 'CI', issuer: 'https://ci.example.com', conditions: [], scopes: ['teams'] }
    await prisma.workloadIdentity.create({ data: { teamId: team.id, createdById: owner.id, ...identity } })
    await createDomain(database, team)
    await seedProvider(service, team)
    await insertDelivery(database.pool, team.id, service.clock.now())
    await prisma.auditEntry.create({ data: { at: service.clock.now(), ...auditEntry(team, owner) } })
  }
  for (const person of [owner, ...people]) {
    await personalToken(database, person)
    await createGrant(database, person, teams[0] && { team: teams[0] })
    await createGrant(database, person)
  }
  const foreign = await createTeam(database)
  await join(database, foreign, await createUser(database), 'owner')
  await createInvitation(service, foreign, owner, owner.email)
  await createSession(database, owner, {}, new Date(service.clock.now().getTime() + 86_400_000))
  const passkey = {
    credentialId: new Uint8Array([1]),
    publicKey: new Uint8Array([1]),
    counter: 0n,
    transports: [],
    isBackedUp: false,
    createdAt: service.clock.now(),
  }
  await prisma.passkey.create({ data: { userId: owner.id, name: 'Phone', ...passkey } })
  await prisma.externalIdentity.create({ data: { userId: owner.id, social: 'github', subject: '1', lastSignInAt: service.clock.now() } })
  await createTrustedDevice(database, owner, { expiresAt: new Date(service.clock.now().getTime() + 86_400_000) })
  // Before a team is deleted, since authentication would not load it.
  const principal = await sessionOf(service, owner)
  const deleted = await createTeam(database, { deletedAt: service.clock.now() })
  await join(database, deleted, owner, 'owner')
  return { owner, teams, foreign, principal }
}

const createInvitation = ({ database, clock }: Pick<TestService, 'database' | 'clock'>, team: Team, inviter: User, email: string) =>
  database.prisma.invitation.create({
    data: {
      teamId: team.id,
      email,
      role: 'member',
      allApplications: true,
      tokenHash: new Uint8Array(createHash('sha256').update(team.id).digest()),
      nonce: new Uint8Array(16),
      invitedById: inviter.id,
      sentAt: clock.now(),
      expiresAt: new Date(clock.now().getTime() + 86_400_000),
    },
  })

const auditEntry = (team: Team, { id, name }: User) => ({
  action: 'updateTeam',
  actorKind: 'user',
  actorUserId: id,
  actorName: name,
  authenticationMethod: 'session',
  teamId: team.id,
  subject: team.slug,
  requestId: 'request',
})
