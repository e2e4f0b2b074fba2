import { describe, expect, test } from 'vitest'
import { addAccess } from '../../support/graphql/access-rows.ts'
import { useOwnersOfTeams } from '../../support/graphql/owners-of-teams.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
// Each team has tokens, grants, invitations and audit entries.
const { statementsOf, expectStatements, expectSameRowsAlone } = useOwnersOfTeams(service, ({ id }) => addAccess(service, id, 3))

const credential =
  '... on TeamToken { tokenId } ... on MemberToken { tokenId teams { slug } } ... on Grant { grantId team { slug } } ... on OAuthClient { clientId } ... on WorkloadIdentity { issuer }'

describe('a query over 50 teams sends as many statements as over one', () => {
  test.each([
    ['tokens', 'tokens(perPage: 5, live: true) { nodes { name createdBy { name } previousValue { hint } } total }', 1],
    ['personal tokens', 'personalTokens(perPage: 5) { nodes { name user { name } scopes } total }', 1],
    ['grants', 'grants(perPage: 5) { nodes { scopes fixedScopes user { name } client { name } teamSlug } total }', 1],
    ['access', 'access(perPage: 5) { nodes { name personName hint } total }', 1],
    ['invitations', 'invitations(perPage: 5) { nodes { email status accessibleAppIds } total }', 1],
    ['people', 'people(perPage: 5) { nodes { name lastActiveAt hasTwoFactor } total }', 1],
    ['the activity of members', 'members(perPage: 5) { nodes { name lastActiveAt hasTwoFactor } total }', 2],
    ['the users of revoked tokens and apps', 'auditEntries(perPage: 5) { nodes { subjectUser { name } } }', 2],
    ['audit entries', 'auditEntries(perPage: 5) { nodes { action actorName before after } total }', 1],
    ['the teams of personal tokens', 'personalTokens(perPage: 5) { nodes { teams { slug } } }', 2],
    ['the teams of grants', 'grants(perPage: 5) { nodes { team { slug } } }', 1],
    ['what has access', `access(perPage: 15) { nodes { person { userId } credential { __typename ${credential} } } }`, 7],
    [
      'who invited',
      'invitations(perPage: 5) { nodes { team { slug } invitedBy { name } invitedByToken { name } acceptedBy { name } } }',
      3,
    ],
    ['the objects of people', 'people(perPage: 9) { nodes { member { role team { slug } } invitation { email } } }', 3],
    [
      'tokens that expire and unused tokens',
      'a: tokens(expiresBefore: "2099-01-01T00:00:00Z") { total } b: tokens(unusedSince: "2099-01-01T00:00:00Z") { total }',
      2,
    ],
    ['a connection', 'auditEntriesConnection(first: 2) { edges { cursor node { action } } pageInfo { hasNextPage } totalCount }', 2],
    [
      'connections without totals',
      'tokensConnection(first: 2) { nodes { name } } grantsConnection(last: 2) { nodes { client { name } } }',
      2,
    ],
  ])('for %s', (_, selection, expected) => expectStatements(selection, expected))
})

test('a list of which only the total is selected loads no rows', async () => {
  for (const list of ['tokens', 'personalTokens', 'grants', 'access', 'invitations', 'people', 'auditEntries'])
    for (const selection of [`${list} { total }`, `${list}Connection { totalCount }`]) {
      const [statement, ...others] = await statementsOf(selection)
      expect([statement?.startsWith('SELECT count(*) AS "inAll" '), others]).toEqual([true, []])
    }
})

test('lists of many teams have the rows that each team has alone', () =>
  expectSameRowsAlone(`tokens(perPage: 2, orderBy: { field: LAST_USED, direction: DESC }) { nodes { name } total }
    personalTokens(page: 2, perPage: 1) { nodes { tokenId user { userId } } total } grants(perPage: 2) { nodes { grantId client { clientId } teamSlug } total }
    access(perPage: 3) { nodes { name personName } total } invitations { nodes { email } total } people(state: INVITED) { nodes { email } total }
    auditEntries(perPage: 1) { nodes { entryId } total } auditEntriesConnection(last: 1) { edges { cursor node { entryId } } totalCount }`))
