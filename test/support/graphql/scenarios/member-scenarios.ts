import { createSession } from '../../data/session-row.ts'
import { sessionOf } from '../../service/in-process.ts'
import type { Scenarios } from './scenario.ts'

/** Scenarios of the mutations about the members of a team. */
export const memberScenarios: Scenarios = {
  updateMember: {
    document:
      'mutation ($team: String!, $id: ID!) { updateMember(input: { team: $team, userId: $id, accessibleAppIds: [FLOW] }) { member { id: userId } } }',
    prepare: ({ team, member, principal }) => ({
      principal,
      variables: { team: team.slug, id: member.id },
      teamId: team.id,
      subject: member.id,
      before: { role: 'member', accessibleAppIds: null },
      after: { role: 'member', accessibleAppIds: ['flow'] },
    }),
  },
  remindOfTwoFactor: {
    document: 'mutation ($team: String!, $id: ID!) { remindOfTwoFactor(input: { team: $team, userId: $id }) { member { id: userId } } }',
    prepare: ({ team, member, principal }) => ({
      principal,
      variables: { team: team.slug, id: member.id },
      teamId: team.id,
      subject: member.id,
    }),
  },
  endMemberSessions: {
    document: 'mutation ($team: String!, $id: ID!) { endMemberSessions(input: { team: $team, userId: $id }) { member { id: userId } } }',
    async prepare({ service, team, member, principal }) {
      await createSession(service.database, member)
      return { principal, variables: { team: team.slug, id: member.id }, teamId: team.id, subject: member.id }
    },
  },
  removeMember: {
    document: 'mutation ($team: String!, $id: ID!) { removeMember(input: { team: $team, userId: $id }) { member { id: userId } } }',
    prepare: ({ team, member, principal }) => ({
      principal,
      variables: { team: team.slug, id: member.id },
      teamId: team.id,
      subject: member.id,
      before: { email: member.email, role: 'member', accessibleAppIds: null },
    }),
  },
  leaveTeam: {
    document: 'mutation ($team: String!) { leaveTeam(input: { team: $team }) { member { id: userId } } }',
    prepare: async ({ service, team, member }) => ({
      principal: await sessionOf(service, member),
      variables: { team: team.slug },
      teamId: team.id,
      subject: member.id,
      before: { email: member.email, role: 'member', accessibleAppIds: null },
    }),
  },
}
