import { describe, expect, test } from 'vitest'
import { conditionOperators, maxRuleGroupDepth } from '../../../schema/flow/rule-model.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database } = service

describe('GET /v1/user', () => {
  const emptyViewer = { id: null, name: null, email: null, client_id: null, team: null }

  test('returns the user of a personal token', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const expiresAt = new Date(Date.now() + 86_400_000)
    const token = await personalToken(database, owner, { scopes: ['flow:rules:read', 'teams'], expiresAt })
    const { status, body } = await request(service, 'GET', '/api/v1/user', { token })
    const { id, name, email } = owner
    const scopes = ['flow:rules:read', 'teams']
    const expires_at = expiresAt.toISOString()
    expect([status, body]).toEqual([
      200,
      { ...emptyViewer, kind: 'personal_token', id, name, email, teams: [team.slug], scopes, expires_at },
    ])
  })

  test('returns the team of a team token', async () => {
    const team = await createTeam(database)
    const { status, body } = await request(service, 'GET', '/api/v1/user', { token: await teamToken(database, team, { scopes: [] }) })
    expect([status, body]).toEqual([
      200,
      { ...emptyViewer, kind: 'team_token', team: team.slug, teams: [team.slug], scopes: [], expires_at: null },
    ])
  })

  test('names scopes in header fields only where there are any', async () => {
    const { owner } = await createOwnedTeam(database)
    const headersFor = async (path: string, token?: string) => {
      const { headers } = await request(service, 'GET', path, token === undefined ? {} : { token })
      return [headers.get('x-accepted-scopes'), headers.get('x-granted-scopes')]
    }
    const [token, withoutScopes] = [
      await personalToken(database, owner, { scopes: ['teams'] }),
      await personalToken(database, owner, { scopes: [] }),
    ]
    expect(await headersFor('/api/v1/user', token)).toEqual([null, 'teams'])
    expect(await headersFor('/api/v1/user', withoutScopes)).toEqual([null, null])
    expect(await headersFor('/api/v1/user')).toEqual([null, null])
    expect(await headersFor('/api/v1/unknown', token)).toEqual([null, null])
    expect(await headersFor('/api/v1/teams', token)).toEqual(['teams, acct:team:read', 'teams'])
    expect(await headersFor('/api/v1/teams', withoutScopes)).toEqual(['teams, acct:team:read', null])
  })

  test('returns null for teams without a scope that allows listing them', async () => {
    const { owner } = await createOwnedTeam(database)
    const { body } = await request(service, 'GET', '/api/v1/user', { token: await personalToken(database, owner, { scopes: [] }) })
    expect([body.id, body.teams, body.scopes]).toEqual([owner.id, null, []])
  })
})

describe('GET /v1/rules/capabilities', () => {
  test('returns the capabilities of the rule model', async () => {
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

  test('returns 403 role_required without access to the application flow in at least one team', async () => {
    const team = await createTeam(database)
    for (const [apps, status] of [
      [null, 200],
      [['flow'], 200],
      [['cert'], 403],
      [[], 403],
    ] as const) {
      const user = await createUser(database)
      await join(database, team, user, 'member', apps && [...apps])
      const response = await request(service, 'GET', '/api/v1/rules/capabilities', { token: await personalToken(database, user) })
      expect(response.status).toBe(status)
      if (status === 403) expect(response.body.code).toBe('role_required')
    }
    const noTeamToken = await personalToken(database, await createUser(database))
    expect((await request(service, 'GET', '/api/v1/rules/capabilities', { token: noTeamToken })).body.code).toBe('role_required')
  })
})
