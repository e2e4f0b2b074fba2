import { expect } from 'vitest'
import type { Principal } from '../../schema/context.ts'
import { invitationSecret } from '../../schema/invitation-link.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { secretKey } from '../support/pace.ts'
import type { TestService } from '../support/service.ts'
import { createTeam, createUser, join, unique } from '../support/team.ts'
import { accountScenarios } from './account-scenarios.ts'
import { clientScenarios } from './client-scenarios.ts'
import { grantScenarios } from './grant-scenarios.ts'
import { securityScenarios } from './security-scenarios.ts'
import { signingKeyScenarios } from './signing-key-scenarios.ts'
import { tokenScenarios } from './token-scenarios.ts'

const deriveSecret = secretDeriver(secretKey)

/** A team with an owner, in whose session most is done, and a member. */
export async function surroundings(service: TestService) {
  const { database } = service
  const team = await createTeam(database, { timezone: 'UTC' })
  const owner = await createUser(database)
  await join(database, team, owner, 'owner')
  const member = await createUser(database)
  await join(database, team, member, 'member')
  const as = await sessionOf(service, owner)
  return { service, team, owner, member, as }
}

export type Surroundings = Awaited<ReturnType<typeof surroundings>>

async function invitation({ service, team, as }: Surroundings, email: string) {
  const { prisma } = service.database
  await executeAs(service, as, invite, { team: team.slug, email })
  const stored = await prisma.invitation.findFirstOrThrow({ where: { teamId: team.id, email } })
  return { stored, token: invitationSecret({ deriveSecret }, stored.nonce) }
}

const invite =
  'mutation ($team: String!, $email: String!) { inviteMember(input: { team: $team, email: $email, role: MEMBER }) { invitation { id } } }'
const answerable = async (around: Surroundings) => {
  const { service } = around
  const invited = await createUser(service.database)
  const { token } = await invitation(around, invited.email)
  return { as: await sessionOf(service, invited), variables: { token }, teamId: around.team.id, subject: invited.id }
}

export interface Scenario {
  as: Principal
  variables?: Record<string, unknown>
  /** What no entry may say, besides what is looked for with all. */
  secret?: string
  /** Expected in the entry; the rest of it is the same for all. */
  teamId?: string
  subject?: string
  before?: object
  after?: object
}

export type Scenarios = Record<string, { document: string; make(around: Surroundings): Promise<Scenario> | Scenario }>

/** What makes each mutation succeed once, and what its entry then says. A mutation without one fails the test. */
export const scenarios: Scenarios = {
  updateTeam: {
    document: 'mutation ($team: String!) { updateTeam(input: { team: $team, name: "New", timezone: null }) { team { name } } }',
    make: ({ team, as }) => ({
      as,
      variables: { team: team.slug },
      teamId: team.id,
      subject: team.slug,
      before: { name: 'Acme', timezone: 'UTC' },
      after: { name: 'New', timezone: null },
    }),
  },
  createTeam: {
    document:
      'mutation ($slug: String!, $owner: String!) { createTeam(input: { slug: $slug, name: "T", owner: $owner }) { team { slug } } }',
    make: ({ owner }) => ({ as: operator, variables: { slug: unique('new'), owner: owner.email }, teamId: expect.any(String) }),
  },
  updateMember: {
    document:
      'mutation ($team: String!, $id: ID!) { updateMember(input: { team: $team, userId: $id, accessibleAppIds: [FLOW] }) { member { id } } }',
    make: ({ team, member, as }) => ({
      as,
      variables: { team: team.slug, id: member.id },
      teamId: team.id,
      subject: member.id,
      before: { role: 'member', accessibleAppIds: null },
      after: { role: 'member', accessibleAppIds: ['flow'] },
    }),
  },
  removeMember: {
    document: 'mutation ($team: String!, $id: ID!) { removeMember(input: { team: $team, userId: $id }) { member { id } } }',
    make: ({ team, member, as }) => ({
      as,
      variables: { team: team.slug, id: member.id },
      teamId: team.id,
      subject: member.id,
      before: { email: member.email, role: 'member', accessibleAppIds: null },
    }),
  },
  leaveTeam: {
    document: 'mutation ($team: String!) { leaveTeam(input: { team: $team }) { member { id } } }',
    make: async ({ service, team, member }) => ({
      as: await sessionOf(service, member),
      variables: { team: team.slug },
      teamId: team.id,
      subject: member.id,
      before: { email: member.email, role: 'member', accessibleAppIds: null },
    }),
  },
  inviteMember: {
    document: invite,
    make: ({ team, as }) => ({
      as,
      variables: { team: team.slug, email: 'new@example.test' },
      teamId: team.id,
      subject: 'new@example.test',
      after: { role: 'member', accessibleAppIds: null, renewed: false },
    }),
  },
  resendInvitation: {
    document: 'mutation ($id: ID!) { resendInvitation(input: { id: $id }) { invitation { id } } }',
    async make(around) {
      const { stored } = await invitation(around, 'again@example.test')
      return { as: around.as, variables: { id: stored.id }, teamId: around.team.id, subject: 'again@example.test' }
    },
  },
  revokeInvitation: {
    document: 'mutation ($id: ID!) { revokeInvitation(input: { id: $id }) { invitation { id } } }',
    async make(around) {
      const { stored } = await invitation(around, 'no@example.test')
      const change = { before: { status: 'pending' }, after: { status: 'revoked' } }
      return { as: around.as, variables: { id: stored.id }, teamId: around.team.id, subject: 'no@example.test', ...change }
    },
  },
  acceptInvitation: {
    document: 'mutation ($token: String!) { acceptInvitation(input: { token: $token }) { team { slug } } }',
    make: answerable,
  },
  declineInvitation: {
    document: 'mutation ($token: String!) { declineInvitation(input: { token: $token }) { invitation { id } } }',
    make: answerable,
  },
  ...tokenScenarios,
  ...accountScenarios,
  ...grantScenarios,
  ...clientScenarios,
  ...signingKeyScenarios,
  ...securityScenarios,
  createUser: {
    document:
      'mutation ($email: String!) { createUser(input: { email: $email, name: "N", password: "correct horse battery" }) { user { id } } }',
    make: () => ({ as: operator, variables: { email: `${unique('n')}@example.test` } }),
  },
  ...Object.fromEntries(
    ['disableUser', 'enableUser', 'deleteUser'].map((name) => [
      name,
      {
        document: `mutation ($email: String!) { ${name}(input: { email: $email }) { user { id } } }`,
        make: ({ member }: Surroundings): Scenario => ({ as: operator, variables: { email: member.email }, subject: member.id }),
      },
    ]),
  ),
}
