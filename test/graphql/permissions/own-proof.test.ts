import { isDeepStrictEqual } from 'node:util'
import { isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { concernsAccount, findRequirement } from '../../../schema/core/requires.ts'
import type { Requirement } from '../../../schema/core/requires.ts'
import { schema } from '../../../schema/index.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { createProvider } from '../../support/domains/required-sign-in.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { createTestBrowser } from '../../support/service/test-browser.ts'
import { useService } from '../../support/service/service.ts'

// A session in which only the provider of a team vouches for the user (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches).

const service = useService()

/** The fields of a type whose requirement fulfils the condition. */
function fieldsOf(typeName: string, condition: (requirement: Requirement | undefined) => boolean): string[] {
  const type = schema.getType(typeName)
  if (!isObjectType(type)) throw new Error('no such type')
  return Object.values(type.getFields()).flatMap(({ name, extensions }) => (condition(findRequirement(extensions)) ? [name] : []))
}

const isOpen = (requirement: Requirement | undefined) =>
  !requirement ||
  (!concernsAccount(requirement) && !requirement.roles && !requirement.browser && requirement.authenticationMethod?.length !== 0)

/** Listed by name, so that no field of the account becomes open unnoticed. Each shows only what the session reaches, or checks the proof itself. */
test.each([
  ['Query', ['team', 'teams', 'teamsConnection', 'memberTotals', 'viewer', 'ruleCapabilities', 'node', 'nodes']],
  [
    'Viewer',
    [
      'id',
      'kind',
      'userId',
      'name',
      'email',
      'team',
      'teamSlug',
      'teamSlugs',
      'scopes',
      'isStaff',
      'staffRole',
      'clientId',
      'tokenId',
      'expiresAt',
      'can',
      'user',
      'teams',
      'teamsConnection',
    ],
  ],
  ['Mutation', ['updateToken', 'acceptInvitation', 'declineInvitation', 'rotateToken', 'revokeToken']],
])('only the listed fields of %s are open to it', (type, names) => {
  expect(fieldsOf(type, isOpen).toSorted()).toEqual(names.toSorted())
})

/** The same session without the proof: the given teams vouch for its user. */
const limit = (session: UserPrincipal, vouchedTeamIds: readonly string[]): UserPrincipal => ({
  ...session,
  signIns: { providerIds: [], ownerAccessTeamIds: [], endedTeamIds: [], vouchedTeamIds, hasOwnProof: false, isLimited: true },
})

async function execute(name: string, vouches: (teamId: string) => readonly string[]) {
  const scenario = scenarios[name]
  if (!scenario) throw new Error('no scenario')
  const context = await createScenarioContext(service)
  const { principal, variables, browser } = await scenario.prepare(context)
  if (principal.kind !== 'user' || !principal.signIns) return null
  const session = limit(principal, vouches(context.team.id))
  const before = await readAllRows(service)
  const { refusal } = await executeAs(service, session, scenario.document, variables, undefined, browser)
  return { code: refusal?.code, isUnchanged: isDeepStrictEqual(await readAllRows(service), before) }
}

// A user leaves a team that vouches for them without a proof: the team is in the input.
const accountMutations = fieldsOf('Mutation', (requirement) => requirement !== undefined && concernsAccount(requirement)).filter(
  (name) => name !== 'leaveTeam',
)

describe('without a proof of the account', () => {
  test.each(accountMutations)('%s is refused and changes nothing', async (name) => {
    const refused = { code: 'own_proof_required', isUnchanged: true }
    expect([null, refused]).toContainEqual(await execute(name, (teamId) => [teamId]))
  })

  test.each(['acceptInvitation', 'declineInvitation'])('%s is refused also to an account that the team created', async (name) => {
    const scenario = scenarios[name]
    const { principal, variables, browser } = (await scenario?.prepare(await createScenarioContext(service))) ?? {}
    if (!scenario || principal?.kind !== 'user') throw new Error('no scenario of a session')
    const session = limit(principal, [])
    const managed = { ...session, signIns: session.signIns && { ...session.signIns, isLimited: false } }
    const { refusal } = await executeAs(service, managed, scenario.document, variables, undefined, browser)
    expect(refusal?.code).toBe('own_proof_required')
  })

  test('no account at a provider is connected, which would open the account later', async () => {
    const { team, principal } = await createScenarioContext(service)
    const provider = await createProvider(service, team)
    const input = { provider: provider.id, purpose: 'LINK', returnTo: '/security/accounts' }
    const begin = 'mutation ($input: BeginProviderSignInInput!) { beginProviderSignIn(input: $input) { url } }'
    const { refusal } = await executeAs(service, limit(principal, [team.id]), begin, { input }, undefined, createTestBrowser())
    expect(refusal?.code).toBe('own_proof_required')
    expect(await service.database.prisma.signInRequest.count({ where: { userId: principal.user.id } })).toBe(0)
  })

  test.each(fieldsOf('Mutation', (requirement) => requirement?.roles !== undefined))('%s works in the team', async (name) => {
    // Null if only tokens can do it.
    expect([undefined, null]).toContain((await execute(name, (teamId) => [teamId]))?.code ?? undefined)
  })
})
