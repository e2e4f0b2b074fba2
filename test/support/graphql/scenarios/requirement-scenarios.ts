import { expect } from 'vitest'
import { addPasskey } from '../../data/second-factor.ts'
import { createDomain } from '../../domains/domain.ts'
import { createProvider, requireSignIn, signInThrough } from '../../domains/required-sign-in.ts'
import { executeAs } from '../../service/in-process.ts'
import type { Scenarios } from './scenario.ts'

/** Scenarios of the mutations about settings of a team: billing details and the required sign-in. */
export const requirementScenarios: Scenarios = {
  updateBillingDetails: {
    document:
      'mutation ($team: String!) { updateBillingDetails(input: { team: $team, vatId: "de 123456789", name: "Acme Ltd" }) { team { slug } } }',
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug },
      teamId: team.id,
      subject: team.slug,
      before: { name: null, vatId: null },
      after: { name: 'Acme Ltd', vatId: 'DE 123456789' },
    }),
  },
  setSignInRequirement: {
    document:
      'mutation ($team: String!, $providerId: ID) { setSignInRequirement(input: { team: $team, providerId: $providerId }) { team { slug } } }',
    async prepare({ service, team, principal }) {
      await createDomain(service.database, team)
      const { id: providerId } = await createProvider(service, team)
      return {
        principal,
        variables: { team: team.slug, providerId },
        teamId: team.id,
        subject: team.slug,
        subjectName: 'Acme',
        before: { signInProvider: null, signInRequiredAt: null },
        after: { signInProvider: 'Okta', signInRequiredAt: expect.any(String) },
      }
    },
  },
  remindOfRequiredSignIn: {
    document:
      'mutation ($team: String!, $id: ID!) { remindOfRequiredSignIn(input: { team: $team, userId: $id }) { member { id: userId } } }',
    async prepare({ service, team, member, principal }) {
      const { provider } = await requireSignIn(service, team)
      await signInThrough(service, provider, member, new Date(0))
      return { principal, variables: { team: team.slug, id: member.id }, teamId: team.id, subject: member.id }
    },
  },
  openTeamAsOwner: {
    document: 'mutation ($team: String!, $response: String!) { openTeamAsOwner(input: { team: $team, response: $response }) { slug } }',
    async prepare(context) {
      const { service, team, principal } = context
      const { authenticator } = await addPasskey(context)
      const { data } = await executeAs(service, principal, '{ viewer { passkeyConfirmation } }')
      const response = authenticator.assert(data.viewer.passkeyConfirmation)
      return { principal, variables: { team: team.slug, response }, teamId: team.id, subject: team.slug, subjectName: 'Acme' }
    },
  },
}
