import { describe, expect, test } from 'vitest'
import { auditActions } from '../../../schema/core/audit/actions.ts'
import type { AuditSubject } from '../../../schema/core/audit/actions.ts'
import { invite } from '../../support/data/invitation.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../../support/data/team.ts'
import { createDomain } from '../../support/domains/domain.ts'
import { createProvider } from '../../support/domains/required-sign-in.ts'
import { createIdentity } from '../../support/identities/identity.ts'
import { createTeamClient } from '../../support/oauth/clients/machines.ts'
import { createGrant } from '../../support/oauth/oauth-rows.ts'
import { createWebhook } from '../../support/webhooks/webhook.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const subjectFields = 'subject subjectObject { __typename ... on Node { id } }'

/** The type of the object that the entry of each change in a team is about; null where the change removes it, or the team. */
const expected: Record<string, string | null> = {
  updateTeam: 'Team',
  createTeam: 'Team',
  deleteTeam: null,
  restoreTeam: 'Team',
  setTwoFactorRequirement: 'Team',
  updateBillingDetails: 'Team',
  setGroupRoles: 'Team',
  exportAuditLog: 'Team',
  updateMember: 'TeamMember',
  endMemberSessions: 'TeamMember',
  removeMember: null,
  leaveTeam: null,
  transferOwnership: 'TeamMember',
  remindOfTwoFactor: 'TeamMember',
  remindOfRequiredSignIn: 'TeamMember',
  acceptInvitation: 'TeamMember',
  inviteMember: 'TeamInvitation',
  resendInvitation: 'TeamInvitation',
  revokeInvitation: 'TeamInvitation',
  declineInvitation: 'TeamInvitation',
  createTeamToken: 'TeamToken',
  updateToken: 'TeamToken',
  rotateToken: 'TeamToken',
  createWebhook: 'Webhook',
  updateWebhook: 'Webhook',
  deleteWebhook: null,
  rotateWebhookSecret: 'Webhook',
  sendTestEvent: 'Webhook',
  redeliver: 'Webhook',
  replayEvents: 'Webhook',
  createWorkloadIdentity: 'WorkloadIdentity',
  updateWorkloadIdentity: 'WorkloadIdentity',
  deleteWorkloadIdentity: null,
  createInitialAccessToken: null,
  deleteInitialAccessToken: null,
  openSupportSession: 'Team',
  endSupportSession: 'Team',
  setSignInRequirement: 'Team',
  openTeamAsOwner: 'Team',
  allowAgentHost: 'Team',
  removeAgentHost: 'Team',
  addTeamDomain: 'TeamDomain',
  verifyTeamDomain: 'TeamDomain',
  removeTeamDomain: null,
  createIdentityProvider: 'IdentityProvider',
  updateIdentityProvider: 'IdentityProvider',
  deleteIdentityProvider: null,
  disableIdentityProvider: 'IdentityProvider',
  enableIdentityProvider: 'IdentityProvider',
  setAgentAssertions: 'IdentityProvider',
  createTeamClient: 'OAuthClient',
  updateTeamClient: 'OAuthClient',
  submitTeamClient: 'OAuthClient',
  rotateTeamClientSecret: 'OAuthClient',
  revokeClientAccess: 'OAuthClient',
  deleteTeamClient: null,
  approveClient: 'OAuthClient',
  rejectClient: 'OAuthClient',
  revokeToken: 'TeamToken',
  revokeTokenTeamAccess: null,
  revokeGrantTeamAccess: null,
  revokeGrant: null,
  reduceGrantScopes: 'Grant',
}

describe('the subject of an audit entry', () => {
  test.each(Object.entries(scenarios))(
    'of %s is the object that was changed, if the change is one in a team',
    async (name, { document, prepare }) => {
      const context = await createScenarioContext(service)
      const { principal, variables, teamId: changedTeam } = await prepare(context)
      if (!(name in expected)) return expect(changedTeam).toBeUndefined()
      const type = expected[name] ?? null
      const { requestId } = await executeAs(service, principal, document, variables)
      const { teamId, subject } = await database.prisma.auditEntry.findFirstOrThrow({ where: { requestId } })
      const team = await database.prisma.team.findUniqueOrThrow({ where: { id: teamId ?? '' } })
      if (team.deletedAt) return expect(type).toBeNull()
      const owner = { ...context.owner, totpSecret: null }
      await database.prisma.member.updateMany({ where: { teamId: team.id, userId: owner.id }, data: { role: 'owner' } })
      const query = `query ($team: String!) { team(slug: $team) { auditEntries(perPage: 1) { nodes { ${subjectFields} } } } }`
      const { data } = await executeAs(service, await sessionOf(service, owner), query, { team: team.slug })
      const [entry] = data.team.auditEntries.nodes
      expect(entry).toEqual({ subject, subjectObject: type && { __typename: type, id: expect.any(String) } })
    },
  )

  test('of each action is found by its identifier', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const { prisma } = database
    const { status } = await invite(service, team.slug, token, { email: `${unique('guest')}@example.test`, role: 'member' })
    expect(status).toBe(204)
    await teamToken(database, team)
    const subjects: Record<AuditSubject, string> = {
      Team: team.slug,
      TeamMember: owner.id,
      TeamInvitation: (await prisma.invitation.findFirstOrThrow({ where: { teamId: team.id } })).id,
      TeamInvoice: (await createInvoice(database, team)).id,
      TeamToken: (await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })).id,
      MemberToken: (await prisma.accessToken.findFirstOrThrow({ where: { userId: owner.id } })).id,
      Grant: (await createGrant(database, owner, { team })).id,
      Webhook: (await createWebhook(service, team, 'https://hooks.example.com/')).id,
      WorkloadIdentity: await createIdentity(service, team),
      TeamDomain: (await createDomain(database, team)).id,
      IdentityProvider: (await createProvider(service, team)).id,
      OAuthClient: (await createTeamClient(database, team)).clientId,
    }
    const common = { actorKind: 'user', actorName: 'Ada', authenticationMethod: 'session', requestId: 'r', teamId: team.id, at: new Date() }
    const rows = Object.entries(auditActions).flatMap(([action, row]) => ('subject' in row ? [{ action, type: row.subject }] : []))
    await prisma.auditEntry.createMany({ data: rows.map(({ action, type }) => ({ ...common, action, subject: subjects[type] })) })
    const query = `{ team(slug: "${team.slug}") { auditEntries(perPage: 100) { nodes { actionName subjectObject { __typename } } } } }`
    const response = await executeAs(service, await sessionOf(service, owner), query)
    const found = response.data.team.auditEntries.nodes.map((node: any) => [node.actionName, node.subjectObject?.__typename])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(rows.map(({ action, type }) => [action, type])))
  })

  test('is the same object as in the lists of the team, and is found by its global id in the filter', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const update = `mutation ($id: ID!) { updateMember(input: { team: "${team.slug}", userId: $id, role: BILLING }) { member { id } } }`
    const { data: changed } = await graphql(service, token, update, { id: member.id })
    const query = `query ($subject: String) { team(slug: "${team.slug}") { auditEntries(subject: $subject) { total nodes { ${subjectFields} subjectObject { ... on TeamMember { role email } } } } } }`
    const { id } = changed.updateMember.member
    for (const subject of [id, member.id]) {
      const { data } = await graphql(service, token, query, { subject })
      const subjectObject = { __typename: 'TeamMember', id, role: 'BILLING', email: member.email }
      expect(data.team.auditEntries).toEqual({ total: 1, nodes: [{ subject: member.id, subjectObject }] })
    }
    // A caller who may read the audit log but not the members gets only the text.
    const limited = await personalToken(database, owner, { scopes: ['acct:team:audit:read'] })
    const { data, errors } = await graphql(service, limited, query)
    expect([errors, data.team.auditEntries.nodes]).toEqual([[], [{ subject: member.id, subjectObject: null }]])
  })

  test('is read by as many statements for 20 entries as for one', async () => {
    const { team, token } = await createOwnedTeam(database)
    const members = await Promise.all(Array.from({ length: 20 }, () => createUser(database)))
    const entry = { action: 'updateMember', actorKind: 'user', actorName: 'Ada', authenticationMethod: 'session', requestId: 'r' }
    for (const member of members) {
      await join(database, team, member, 'member')
      await database.prisma.auditEntry.create({ data: { ...entry, at: new Date(), teamId: team.id, subject: member.id } })
    }
    const count = async (perPage: number) => {
      service.statements.length = 0
      const document = `{ team(slug: "${team.slug}") { auditEntries(perPage: ${perPage}) { nodes { ${subjectFields} } } } }`
      const { data } = await graphql(service, token, document)
      expect(data.team.auditEntries.nodes.filter((node: any) => node.subjectObject)).toHaveLength(perPage)
      return service.statements.filter((text) => !text.includes('last_used_at = u.at')).length
    }
    expect(await count(20)).toBe(await count(1))
  })
})
