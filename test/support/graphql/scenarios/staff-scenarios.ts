import { expect } from 'vitest'
import { createSession } from '../../data/session-row.ts'
import { createWaitingMail } from '../../mail/waiting-mail.ts'
import { operator } from '../../service/in-process.ts'
import type { Scenarios } from './scenario.ts'

/** Scenarios of the mutations by which operators and staff help users. */
export const staffScenarios: Scenarios = {
  endUserSessions: {
    document: 'mutation ($email: String!) { endUserSessions(input: { email: $email }) { user { id: userId } } }',
    async prepare({ service: { database, clock }, member: { id, email }, member }) {
      await createSession(database, member, { createdAt: clock.now(), lastUsedAt: clock.now() })
      return { principal: operator, variables: { email }, subject: id, before: { sessions: 1, trustedDevices: 0 } }
    },
  },
  resendUserVerification: {
    document: 'mutation ($email: String!) { resendUserVerification(input: { email: $email }) { user { id: userId } } }',
    async prepare({ service: { database }, member: { id, email } }) {
      await database.prisma.user.update({ where: { id }, data: { emailVerified: false } })
      return { principal: operator, variables: { email }, subject: id, after: { email } }
    },
  },
  retryMail: {
    document: 'mutation ($id: ID!) { retryMail(input: { id: $id }) { id kind } }',
    async prepare({ service, member }) {
      const id = await createWaitingMail(service, member)
      return {
        principal: operator,
        variables: { id },
        subject: member.id,
        subjectName: 'second-factor-on',
        before: { state: expect.any(String) },
        after: { mail: id, kind: 'second-factor-on' },
      }
    },
  },
}
