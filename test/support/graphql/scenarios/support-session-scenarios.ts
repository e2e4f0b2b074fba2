import { expect } from 'vitest'
import { createSupportSession } from '../../data/support-session.ts'
import type { Scenarios } from './scenario.ts'

/** Scenarios of the mutations about support sessions of a team. */
export const supportSessionScenarios: Scenarios = {
  openSupportSession: {
    document:
      'mutation ($team: String!, $until: DateTime!) { openSupportSession(input: { team: $team, until: $until }) { supportSession { expiresAt } } }',
    prepare: ({ service: { clock }, team, principal }) => ({
      principal,
      variables: { team: team.slug, until: new Date(clock.now().getTime() + 3_600_000).toISOString() },
      teamId: team.id,
      subject: team.slug,
      subjectName: 'Acme',
      after: { expiresAt: expect.any(String) },
    }),
  },
  endSupportSession: {
    document: 'mutation ($id: ID!) { endSupportSession(input: { id: $id }) { supportSession { endedAt } } }',
    async prepare({ service: { database, clock }, team, principal }) {
      const { id } = await createSupportSession(database, team, principal.user, { now: clock.now() })
      return {
        principal,
        variables: { id },
        teamId: team.id,
        subject: team.slug,
        subjectName: 'Acme',
        before: { expiresAt: expect.any(String) },
      }
    },
  },
}

/** The scenario of opening a support session of the own account. */
export const accountSupportScenarios: Scenarios = {
  openAccountSupportSession: {
    document: 'mutation ($until: DateTime!) { openAccountSupportSession(input: { until: $until }) { supportSession { expiresAt } } }',
    prepare: ({ service: { clock }, principal }) => ({
      principal,
      variables: { until: new Date(clock.now().getTime() + 3_600_000).toISOString() },
      subject: principal.user.id,
      subjectName: principal.user.name,
      after: { expiresAt: expect.any(String) },
    }),
  },
}
