import { isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { findRequirement } from '../../../schema/core/requires.ts'
import { schema } from '../../../schema/index.ts'
import { useCredentials } from '../../support/graphql/credentials.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { team, tokens } = useCredentials(service)

const can = 'query ($field: String!, $team: String) { viewer { can(field: $field, team: $team) { isAllowed reason scopes roles } } }'
const ask = async (token: string, field: string, slug: string | null = team.slug) => {
  const { data, errors } = await graphql(service, token, can, { field, team: slug })
  return { permission: data?.viewer?.can, errors }
}

const teamType = schema.getType('Team')
const lists = Object.values(isObjectType(teamType) ? teamType.getFields() : {}).filter(
  ({ args, extensions }) => findRequirement(extensions) && args.some(({ name }) => name === 'perPage'),
)

describe.each(lists.map(({ name }) => name))('viewer.can for Team.%s', (name) => {
  test.each(['owner', 'owner without scopes', 'billing', 'member', 'stranger', 'team'])(
    'decides as the field does for: %s',
    async (who) => {
      const token = tokens[who] ?? ''
      const { errors } = await graphql(service, token, `{ team(slug: "${team.slug}") { ${name} { total } } }`)
      const code = errors[0]?.extensions?.code
      expect((await ask(token, `Team.${name}`)).permission).toMatchObject({
        isAllowed: code === undefined,
        reason: code?.toUpperCase() ?? null,
      })
    },
  )
})

describe('viewer.can', () => {
  test('names the scopes and roles that a mutation needs', async () => {
    const needs = { scopes: ['acct:team:members:write'], roles: ['OWNER'] }
    expect((await ask(tokens.owner ?? '', 'Mutation.removeMember')).permission).toEqual({ isAllowed: true, reason: null, ...needs })
    expect((await ask(tokens.member ?? '', 'Mutation.removeMember')).permission).toEqual({
      isAllowed: false,
      reason: 'ROLE_REQUIRED',
      ...needs,
    })
  })

  test.each([
    ['Mutation.createTeamToken', 'SESSION_REQUIRED'],
    ['Mutation.createClient', 'OPERATOR_ONLY'],
    ['Query.teams', null],
    ['Query.viewer', null],
  ])('for %s with the token of an owner gives the reason %s', async (field, reason) => {
    expect((await ask(tokens.owner ?? '', field)).permission).toMatchObject({ isAllowed: reason === null, reason })
  })

  test.each([
    'Query.team',
    'Query.memberTotals',
    'Query.auditEntries',
    'Mutation.leaveTeam',
    'Mutation.updateTeam',
    'Subscription.teamEvents',
  ])('for %s and a team that the caller cannot access gives the reason TEAM_FORBIDDEN', async (field) => {
    for (const slug of [team.slug, 'unknown'])
      expect((await ask(tokens.stranger ?? '', field, slug)).permission).toMatchObject({ isAllowed: false, reason: 'TEAM_FORBIDDEN' })
  })

  test.each(['Query.team', 'Query.memberTotals', 'Query.teams'])('for %s and a team of the caller allows it', async (field) => {
    for (const slug of [team.slug, null])
      expect((await ask(tokens.owner ?? '', field, slug)).permission).toMatchObject({ isAllowed: true, reason: null })
  })

  test.each(['Query.teams', 'Query.viewer', 'Viewer.grants'])('for %s, which takes no team, ignores the team', async (field) => {
    expect((await ask(tokens.owner ?? '', field, 'unknown')).permission).toMatchObject({ isAllowed: true, reason: null })
  })

  test.each(['Query.staff', 'Staff.users', 'Staff.tokens'])('for %s allows it to staff alone, whatever the team', async (field) => {
    const staff = await staffToken(service.database, await createStaff(service.database))
    for (const slug of [team.slug, null]) {
      expect((await ask(staff, field, slug)).permission).toMatchObject({ isAllowed: true, reason: null })
      expect((await ask(tokens.owner ?? '', field, slug)).permission).toMatchObject({ isAllowed: false, reason: 'NOT_FOUND' })
    }
  })

  test.each(['Mutation.nothing', 'Nothing.name', 'Role.OWNER', 'updateTeam', 'Mutation.updateTeam.input', '', '__proto__.x'])(
    'refuses the field %j',
    async (field) => {
      expect((await ask(tokens.owner ?? '', field)).errors[0]?.extensions).toMatchObject({
        code: 'validation_failed',
        errors: { field: ['The selected field is invalid.'] },
      })
    },
  )

  test('needs the team for a field that needs a role', async () => {
    expect((await ask(tokens.owner ?? '', 'Team.invoices', null)).errors[0]?.extensions?.errors).toEqual({
      team: ['The team field is required.'],
    })
  })
})
