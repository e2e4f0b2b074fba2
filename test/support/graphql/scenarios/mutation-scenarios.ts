import { expect } from 'vitest'
import { operator } from '../../service/in-process.ts'
import type { Scenario, Scenarios, ScenarioContext } from './scenario.ts'
import { unique } from '../../data/team.ts'
import { accountScenarios } from './account-scenarios.ts'
import { clientScenarios } from './clients/client-scenarios.ts'
import { grantScenarios } from './clients/grant-scenarios.ts'
import { invitationScenarios } from './invitation-scenarios.ts'
import { staffScenarios } from './staff-scenarios.ts'
import { securityScenarios } from './security-scenarios.ts'
import { signingKeyScenarios } from './signing-key-scenarios.ts'
import { teamClientScenarios } from './clients/team-client-scenarios.ts'
import { tokenScenarios } from './token-scenarios.ts'
import { memberScenarios } from './member-scenarios.ts'
import { requirementScenarios } from './requirement-scenarios.ts'
import { domainScenarios } from './domain-scenarios.ts'
import { identityScenarios } from './identity-scenarios.ts'
import { initialAccessScenarios } from './clients/initial-access-scenarios.ts'
import { providerScenarios } from './provider-scenarios.ts'
import { accountSupportScenarios, supportSessionScenarios } from './support-session-scenarios.ts'
import { webhookScenarios } from './webhook-scenarios.ts'

/** The scenarios of all mutations. A mutation without a scenario fails a test. */
export const scenarios: Scenarios = {
  updateTeam: {
    document: 'mutation ($team: String!) { updateTeam(input: { team: $team, name: "New", timezone: null }) { team { name } } }',
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug },
      teamId: team.id,
      subject: team.slug,
      before: { name: 'Acme', timezone: 'UTC' },
      after: { name: 'New', timezone: null },
    }),
  },
  deleteTeam: {
    document: 'mutation ($team: String!) { deleteTeam(input: { team: $team, confirmSlug: $team }) { team { slug } } }',
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug },
      teamId: team.id,
      subject: team.slug,
      subjectName: 'Acme',
    }),
  },
  restoreTeam: {
    document: 'mutation ($team: String!) { restoreTeam(input: { team: $team }) { team { slug } } }',
    async prepare({ service: { database, clock }, team, principal }) {
      await database.prisma.team.update({ where: { id: team.id }, data: { deletedAt: clock.now() } })
      return { principal, variables: { team: team.slug }, teamId: team.id, subject: team.slug, subjectName: 'Acme' }
    },
  },
  setGroupRoles: {
    document: `mutation ($team: String!) { setGroupRoles(input: { team: $team, groups: [
      { group: "Engineering", role: MEMBER }, { group: "Accounting", role: BILLING, accessibleAppIds: [BILLING] }] }) { team { slug } } }`,
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug },
      teamId: team.id,
      subject: team.slug,
      subjectName: 'Acme',
      before: { groups: [] },
      after: {
        groups: [
          { group: 'Accounting', role: 'billing', accessibleAppIds: ['billing'] },
          { group: 'Engineering', role: 'member', accessibleAppIds: null },
        ],
      },
    }),
  },
  setTwoFactorRequirement: {
    document: 'mutation ($team: String!) { setTwoFactorRequirement(input: { team: $team, graceDays: 7 }) { team { slug } } }',
    async prepare({ service: { database }, team, owner, principal }) {
      // What every second factor has in the database (schema/core/team-access/two-factor.ts).
      await database.prisma.user.update({ where: { id: owner.id }, data: { totpSecret: Buffer.alloc(20) } })
      return {
        principal,
        variables: { team: team.slug },
        teamId: team.id,
        subject: team.slug,
        subjectName: 'Acme',
        before: { twoFactorRequiredAt: null },
        after: { twoFactorRequiredAt: expect.any(String) },
      }
    },
  },
  exportAuditLog: {
    document: 'mutation ($team: String!) { exportAuditLog(input: { team: $team, actor: "Ada" }) { entries { action } } }',
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug },
      teamId: team.id,
      subject: team.slug,
      subjectName: 'Acme',
      after: { actor: 'Ada', entries: 0 },
    }),
  },
  transferOwnership: {
    document:
      'mutation ($team: String!, $newOwner: String!) { transferOwnership(input: { team: $team, newOwner: $newOwner, role: BILLING }) { team { slug } } }',
    prepare: ({ team, member, principal }) => ({
      principal,
      variables: { team: team.slug, newOwner: member.email },
      teamId: team.id,
      subject: member.id,
      before: { role: 'member', previousOwner: 'Ada', roleOfPreviousOwner: 'owner' },
      after: { role: 'owner', previousOwner: 'Ada', roleOfPreviousOwner: 'billing' },
    }),
  },
  createTeam: {
    document:
      'mutation ($slug: String!, $owner: String!) { createTeam(input: { slug: $slug, name: "T", owner: $owner }) { team { slug } } }',
    prepare: ({ owner }) => ({ principal: operator, variables: { slug: unique('new'), owner: owner.email }, teamId: expect.any(String) }),
  },
  ...memberScenarios,
  ...invitationScenarios,
  ...tokenScenarios,
  ...webhookScenarios,
  ...identityScenarios,
  ...initialAccessScenarios,
  ...supportSessionScenarios,
  ...accountSupportScenarios,
  ...domainScenarios,
  ...requirementScenarios,
  ...providerScenarios,
  ...accountScenarios,
  ...grantScenarios,
  ...clientScenarios,
  ...teamClientScenarios,
  ...signingKeyScenarios,
  ...securityScenarios,
  createUser: {
    document:
      'mutation ($email: String!) { createUser(input: { email: $email, name: "N", password: "correct horse battery" }) { user { id: userId } } }',
    prepare: () => ({ principal: operator, variables: { email: `${unique('n')}@example.test` } }),
  },
  exportUser: {
    document: 'mutation ($email: String!) { exportUser(input: { email: $email }) { data } }',
    prepare: ({ member }) => ({ principal: operator, variables: { email: member.email }, subject: member.id }),
  },
  ...staffScenarios,
  setStaff: {
    document: 'mutation ($email: String!) { setStaff(input: { email: $email, isStaff: true }) { user { isStaff } } }',
    prepare: ({ member }) => ({
      principal: operator,
      variables: { email: member.email },
      subject: member.id,
      subjectName: member.name,
      before: { staff: false, staffRole: null },
      after: { staff: true, staffRole: 'reader' },
    }),
  },
  ...Object.fromEntries(
    ['disableUser', 'enableUser', 'deleteUser'].map((name) => [
      name,
      {
        document: `mutation ($email: String!) { ${name}(input: { email: $email }) { user { id: userId } } }`,
        async prepare({ service, member }: ScenarioContext): Promise<Scenario> {
          // A membership would be a second entry, in its team.
          if (name === 'deleteUser') await service.database.prisma.member.deleteMany({ where: { userId: member.id } })
          if (name === 'enableUser')
            await service.database.prisma.user.update({ where: { id: member.id }, data: { disabledAt: new Date() } })
          return { principal: operator, variables: { email: member.email }, subject: member.id }
        },
      },
    ]),
  ),
}
