import { expect } from 'vitest'
import { invitationSecret } from '../../../../schema/invitations/link.ts'
import { secretDeriver } from '../../../../src/config/secret-key.ts'
import { createUser, unique } from '../../data/team.ts'
import { executeAs, sessionOf } from '../../service/in-process.ts'
import { secretKey } from '../../service/test-settings.ts'
import type { ScenarioContext, Scenarios } from './scenario.ts'

/** An address that no other team invited within the hour. */
const uniqueAddress = () => `${unique('guest')}@example.test`
const deriveSecret = secretDeriver(secretKey)

async function createInvitation({ service, team, principal }: ScenarioContext, email: string) {
  const { prisma } = service.database
  await executeAs(service, principal, invite, { team: team.slug, email })
  const stored = await prisma.invitation.findFirstOrThrow({ where: { teamId: team.id, email } })
  return { stored, token: invitationSecret({ deriveSecret }, stored.nonce) }
}

const invite =
  'mutation ($team: String!, $email: String!) { inviteMember(input: { team: $team, email: $email, role: MEMBER }) { invitation { id: invitationId } } }'
const prepareAnswer = async (context: ScenarioContext) => {
  const { service } = context
  const invited = await createUser(service.database)
  const { stored, token } = await createInvitation(context, invited.email)
  return { invited, stored, answer: { principal: await sessionOf(service, invited), variables: { token }, teamId: context.team.id } }
}

export const invitationScenarios: Scenarios = {
  inviteMember: {
    document: invite,
    prepare({ team, principal }) {
      const email = uniqueAddress()
      return {
        principal,
        variables: { team: team.slug, email },
        teamId: team.id,
        subject: expect.any(String),
        subjectName: email,
        after: { role: 'member', accessibleAppIds: null, renewed: false },
      }
    },
  },
  resendInvitation: {
    document: 'mutation ($id: ID!) { resendInvitation(input: { id: $id }) { invitation { id: invitationId } } }',
    async prepare(context) {
      const { stored } = await createInvitation(context, uniqueAddress())
      return {
        principal: context.principal,
        variables: { id: stored.id },
        teamId: context.team.id,
        subject: stored.id,
        subjectName: stored.email,
      }
    },
  },
  revokeInvitation: {
    document: 'mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { invitation { id: invitationId } } }',
    async prepare(context) {
      const { stored } = await createInvitation(context, uniqueAddress())
      const change = { before: { status: 'pending' }, after: { status: 'revoked' } }
      const subject = { subject: stored.id, subjectName: stored.email }
      return { principal: context.principal, variables: { id: stored.id }, teamId: context.team.id, ...subject, ...change }
    },
  },
  acceptInvitation: {
    document: 'mutation ($token: String!) { acceptInvitation(input: { token: $token }) { team { slug } } }',
    async prepare(context) {
      const { answer, invited } = await prepareAnswer(context)
      return { ...answer, subject: invited.id }
    },
  },
  declineInvitation: {
    document: 'mutation ($token: String!) { declineInvitation(input: { token: $token }) { invitation { id: invitationId } } }',
    async prepare(context) {
      const { answer, stored } = await prepareAnswer(context)
      return { ...answer, subject: stored.id, subjectName: stored.email }
    },
  },
}
