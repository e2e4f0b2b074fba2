import { isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { publicSchema } from '../../../schema/public-schema.ts'
import { useCredentials } from '../../support/graphql/credentials.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { team, tokens } = useCredentials(service)

const permission = 'isAllowed reason explain { kind isMet reason message needed present }'
const can = `query ($field: String!, $team: String) { viewer { can(field: $field, team: $team) { ${permission} } } }`
async function explain(who: string, field: string, slug: string | null = team.slug) {
  const { data, errors } = await graphql(service, tokens[who] ?? '', can, { field, team: slug })
  expect(errors).toEqual([])
  return data.viewer.can
}

const met = { isMet: true, reason: null, message: null }
const unmet = (reason: string, message: string) => ({ isMet: false, reason, message })
const noRole = unmet('ROLE_REQUIRED', 'The user has none of the roles in the team, or no access to the product.')
const noScope = unmet('INSUFFICIENT_SCOPE', 'The credential has none of the scopes.')

describe('viewer.can explains', () => {
  test('every condition that is met', async () => {
    const invoices = { needed: ['acct:team:invoices:read'], present: [...tokenScopes] }
    const { isAllowed, explain: checks } = await explain('owner', 'Team.invoices')
    expect(isAllowed).toBe(true)
    expect(checks).toMatchObject([
      { kind: 'TEAM', ...met, needed: [team.slug], present: [team.slug] },
      { kind: 'SCOPE', ...met, needed: invoices.needed },
      { kind: 'ROLE', ...met, needed: ['OWNER', 'BILLING'], present: ['OWNER'] },
    ])
    expect(checks[1].present.toSorted()).toEqual(invoices.present.toSorted())
  })

  test('the missing scope and the role that is not sufficient, both at once', async () => {
    expect(await explain('member with few scopes', 'Team.invoices')).toEqual({
      isAllowed: false,
      reason: 'INSUFFICIENT_SCOPE',
      explain: [
        { kind: 'TEAM', ...met, needed: [team.slug], present: [team.slug] },
        { kind: 'SCOPE', ...noScope, needed: ['acct:team:invoices:read'], present: ['teams'] },
        { kind: 'ROLE', ...noRole, needed: ['OWNER', 'BILLING'], present: ['MEMBER'] },
      ],
    })
  })

  test('an inaccessible and an unknown team in the same way, without a role', async () => {
    const message = 'The credential cannot access the team, or there is no such team.'
    const answers = [await explain('stranger', 'Team.invoices'), await explain('owner', 'Team.invoices', 'unknown')]
    for (const [index, answer] of answers.entries())
      expect([answer.reason, answer.explain]).toEqual([
        'TEAM_FORBIDDEN',
        [
          { kind: 'TEAM', ...unmet('TEAM_FORBIDDEN', message), needed: [index === 0 ? team.slug : 'unknown'], present: [] },
          expect.objectContaining({ kind: 'SCOPE', isMet: true }),
        ],
      ])
  })

  test('the application that the user cannot use in any team', async () => {
    const application = { kind: 'APPLICATION', needed: ['FLOW'] }
    const flow = 'Query.ruleCapabilities'
    expect(await explain('member', flow, null)).toMatchObject({
      isAllowed: false,
      reason: 'ROLE_REQUIRED',
      explain: [
        { kind: 'SCOPE', ...met },
        { ...application, ...noRole, present: [] },
      ],
    })
    expect(await explain('owner', flow, null)).toMatchObject({
      isAllowed: true,
      explain: [{ kind: 'SCOPE' }, { ...application, ...met, present: ['FLOW'] }],
    })
  })

  test('the kind of credential, the sign-in and the role that a mutation needs', async () => {
    const { reason, explain: checks } = await explain('member', 'Mutation.deleteTeam')
    expect([reason, checks.map(({ kind, isMet }: any) => [kind, isMet])]).toEqual([
      'SESSION_REQUIRED',
      [
        ['TEAM', true],
        ['CREDENTIAL', false],
        ['ROLE', false],
        ['RECENT_SIGN_IN', true],
      ],
    ])
    expect(checks[1]).toMatchObject({ needed: ['SESSION'], present: ['PERSONAL_TOKEN'], reason: 'SESSION_REQUIRED' })
  })
})

const fields = Object.values(publicSchema().getTypeMap()).flatMap((type) =>
  isObjectType(type) && !type.name.startsWith('__') ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : [],
)
// Only fields of these types have requirements.
const guarded = fields.filter((field) => /^(Query|Mutation|Team|Viewer|User)\./.test(field))

test.each(['owner', 'owner with few scopes', 'member', 'member with few scopes', 'stranger', 'team'])(
  'the reason for any field is that of the first unmet condition: %s',
  async (who) => {
    expect(guarded.length).toBeGreaterThan(80)
    const aliases = (from: number) =>
      guarded
        .slice(from, from + 50)
        .map((field, index) => `a${index}: can(field: "${field}", team: "${team.slug}") { isAllowed reason explain { isMet reason } }`)
    for (let from = 0; from < guarded.length; from += 50) {
      const { data, errors } = await graphql(service, tokens[who] ?? '', `{ viewer { ${aliases(from).join(' ')} } }`)
      expect(errors).toEqual([])
      for (const { isAllowed, reason, explain: checks } of Object.values<any>(data.viewer)) {
        const unmetChecks = checks.filter(({ isMet }: { isMet: boolean }) => !isMet)
        expect([isAllowed, reason]).toEqual([unmetChecks.length === 0, unmetChecks[0]?.reason ?? null])
      }
    }
  },
)
