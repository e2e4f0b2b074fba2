import { describe, expect, test } from 'vitest'
import { conditionOperators, maxRuleGroupDepth, rule, ruleMatches } from '../../schema/rule-model.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database } = service

describe('GET /v1/user', () => {
  const nobody = { id: null, name: null, email: null, client_id: null, team: null }

  test('of a personal token is its person', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const expiresAt = new Date(Date.now() + 86_400_000)
    const token = await personalToken(database, owner, { scopes: ['flow:rules:read', 'teams'], expiresAt })
    const { status, body } = await request(service, 'GET', '/api/v1/user', { token })
    const { id, name, email } = owner
    const scopes = ['flow:rules:read', 'teams']
    const expires_at = expiresAt.toISOString()
    expect([status, body]).toEqual([200, { ...nobody, kind: 'personal_token', id, name, email, teams: [team.slug], scopes, expires_at }])
  })

  test('of a team token is its team', async () => {
    const team = await createTeam(database)
    const { status, body } = await request(service, 'GET', '/api/v1/user', { token: await teamToken(database, team, { scopes: [] }) })
    expect([status, body]).toEqual([
      200,
      { ...nobody, kind: 'team_token', team: team.slug, teams: [team.slug], scopes: [], expires_at: null },
    ])
  })

  test('does not tell teams to who may not list them', async () => {
    const { owner } = await createOwnedTeam(database)
    const { body } = await request(service, 'GET', '/api/v1/user', { token: await personalToken(database, owner, { scopes: [] }) })
    expect([body.id, body.teams, body.scopes]).toEqual([owner.id, null, []])
  })
})

describe('GET /v1/rules/capabilities', () => {
  test('lists what the rule model has', async () => {
    const { token } = await createOwnedTeam(database)
    const { status, body } = await request(service, 'GET', '/api/v1/rules/capabilities', { token })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      'condition_operators',
      'match_types',
      'action_results',
      'server_scope_modes',
      'max_rule_group_depth',
    ])
    expect(body.condition_operators.map(({ id }: { id: string }) => id)).toEqual(Object.keys(conditionOperators))
    expect(body.condition_operators[0]).toEqual({ id: 'equals', label: 'equals', value_type: 'string' })
    expect(body.max_rule_group_depth).toBe(maxRuleGroupDepth)
  })

  test('needs access to the application flow in some team', async () => {
    const team = await createTeam(database)
    for (const [apps, status] of [
      [null, 200],
      [['flow'], 200],
      [['cert'], 403],
      [[], 403],
    ] as const) {
      const user = await createUser(database)
      await join(database, team, user, 'member', apps && [...apps])
      const answer = await request(service, 'GET', '/api/v1/rules/capabilities', { token: await personalToken(database, user) })
      expect(answer.status).toBe(status)
      if (status === 403) expect(answer.body.code).toBe('role_required')
    }
    const teamless = await personalToken(database, await createUser(database))
    expect((await request(service, 'GET', '/api/v1/rules/capabilities', { token: teamless })).body.code).toBe('role_required')
  })
})

describe('the rule model', () => {
  const nested = (depth: number): object =>
    depth === 1
      ? { match: 'all', conditions: [{ field: 'path', operator: 'starts_with', value: '/admin' }] }
      : { match: 'any', conditions: [nested(depth - 1)] }
  const ruleOf = (conditions: unknown, server_scope: unknown = { mode: 'all' }) => ({
    name: 'r',
    conditions,
    action: 'block',
    server_scope,
  })

  test('nests as deep as it says and no deeper', () => {
    expect(rule.safeParse(ruleOf(nested(maxRuleGroupDepth))).success).toBe(true)
    expect(rule.safeParse(ruleOf(nested(maxRuleGroupDepth + 1))).success).toBe(false)
  })

  test('refuses an operand of another type than its operator’s', () => {
    const one = (operator: string, value: unknown) =>
      rule.safeParse(ruleOf({ match: 'all', conditions: [{ field: 'f', operator, value }] })).success
    expect([one('greater_than', 5), one('greater_than', '5'), one('in', ['a']), one('in', 'a'), one('nope', 'a')]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
  })

  test('matches by its groups, operators and servers', () => {
    const conditions = {
      match: 'all',
      conditions: [
        { field: 'path', operator: 'starts_with', value: '/admin' },
        {
          match: 'none',
          conditions: [
            { field: 'country', operator: 'in', value: ['AT', 'DE'] },
            { field: 'age', operator: 'less_than', value: 3 },
          ],
        },
      ],
    }
    const parsed = rule.parse(ruleOf(conditions, { mode: 'except', servers: ['test'] }))
    expect(ruleMatches(parsed, 'web', { path: '/admin/x', country: 'FR', age: '4' })).toBe(true)
    expect(ruleMatches(parsed, 'web', { path: '/admin/x', country: 'AT', age: '4' })).toBe(false)
    expect(ruleMatches(parsed, 'web', { path: '/admin/x', country: 'FR', age: '2' })).toBe(false)
    expect(ruleMatches(parsed, 'web', { path: '/admin/x', country: 'FR' })).toBe(true)
    expect(ruleMatches(parsed, 'test', { path: '/admin/x', country: 'FR' })).toBe(false)
  })
})
