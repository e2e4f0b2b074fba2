import { describe, expect, test } from 'vitest'
import { isIdentifier } from '../../../schema/core/validation.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const query = `query ($team: String!, $page: Int, $perPage: Int, $action: AuditAction, $actor: String, $since: DateTime, $until: DateTime) {
  team(slug: $team) { auditEntries(page: $page, perPage: $perPage, action: $action, actor: $actor, since: $since, until: $until) {
    total lastPage nodes { at action actionName actorKind actorName authenticationMethod subject subjectName before after }
  } }
}`

/** A team with three changes by an owner and a team token, one hour apart. */
async function createAuditedTeam() {
  const owned = await createOwnedTeam(database)
  const { team, owner, token } = owned
  await prisma.user.update({ where: { id: owner.id }, data: { name: 'Ada 100%_\\' } })
  const member = await createUser(database, { name: 'Bo' })
  await join(database, team, member, 'member')
  const start = clock.now()
  const change = async (credential: string, mutation: string) => {
    const { errors } = await graphql(service, credential, `mutation { ${mutation} { __typename } }`)
    expect(errors).toEqual([])
    clock.advance(3_600_000)
  }
  await change(token, `updateTeam(input: { team: "${team.slug}", name: "New" })`)
  await change(await teamToken(database, team), `updateMember(input: { team: "${team.slug}", userId: "${member.id}", role: BILLING })`)
  await change(token, `removeMember(input: { team: "${team.slug}", userId: "${member.id}" })`)
  const queryEntries = async (variables: object = {}) => {
    const { data, errors } = await graphql(service, token, query, { team: team.slug, ...variables })
    return { page: data?.team?.auditEntries, refusal: errors[0]?.extensions }
  }
  const listActions = async (variables: object) =>
    (await queryEntries(variables)).page.nodes.map(({ actionName }: { actionName: string }) => actionName)
  return { ...owned, member, start, queryEntries, listActions }
}

describe('the audit log of a team', () => {
  test('lists actor, action, old and new values, and the names at that time, newest first', async () => {
    const { team, member, queryEntries } = await createAuditedTeam()
    const { page, refusal } = await queryEntries()
    expect(refusal).toBeUndefined()
    const ownerEntry = {
      at: expect.stringMatching(/Z$/),
      actorKind: 'USER',
      actorName: 'Ada 100%_\\',
      authenticationMethod: 'PERSONAL_TOKEN',
    }
    expect(page).toEqual({
      total: 3,
      lastPage: 1,
      nodes: [
        {
          ...ownerEntry,
          action: 'REMOVE_MEMBER',
          actionName: 'removeMember',
          subject: member.id,
          subjectName: 'Bo',
          before: JSON.stringify({ role: 'billing', email: member.email, accessibleAppIds: null }),
          after: null,
        },
        {
          ...ownerEntry,
          action: 'UPDATE_MEMBER',
          actionName: 'updateMember',
          actorKind: 'TEAM',
          actorName: 'test',
          authenticationMethod: 'TEAM_TOKEN',
          subject: member.id,
          subjectName: 'Bo',
          before: '{"role":"member","accessibleAppIds":null}',
          after: '{"role":"billing","accessibleAppIds":null}',
        },
        {
          ...ownerEntry,
          action: 'UPDATE_TEAM',
          actionName: 'updateTeam',
          subject: team.slug,
          subjectName: null,
          before: '{"name":"Acme"}',
          after: '{"name":"New"}',
        },
      ],
    })
    await prisma.user.delete({ where: { id: member.id } })
    expect((await queryEntries()).page).toEqual(page)
  })

  test('names every user, token and client that is the subject of an entry', async () => {
    const unnamedActions: string[] = []
    let namedCount = 0
    for (const { document, prepare } of Object.values(scenarios)) {
      const { principal, variables, teamId } = await prepare(await createScenarioContext(service))
      if (teamId === undefined) continue
      const { requestId } = await executeAs(service, principal, document, variables)
      const entries = await prisma.auditEntry.findMany({ where: { requestId } })
      for (const { action, subjectName } of entries.filter(({ subject }) => isIdentifier(subject))) {
        if (subjectName === null) unnamedActions.push(action)
        else namedCount += 1
      }
    }
    expect(unnamedActions).toEqual([])
    expect(namedCount).toBeGreaterThan(10)
  })

  test('can be filtered by action, by part of the actor name, and by time', async () => {
    const { start, listActions } = await createAuditedTeam()
    const at = (hours: number) => new Date(start.getTime() + hours * 3_600_000).toISOString()
    expect(await listActions({ action: 'UPDATE_TEAM' })).toEqual(['updateTeam'])
    expect(await listActions({ action: 'CREATE_TEAM' })).toEqual([])
    expect(await listActions({ actor: 'TES' })).toEqual(['updateMember'])
    expect(await listActions({ actor: '100%_\\' })).toEqual(['removeMember', 'updateTeam'])
    for (const pattern of ['a%0', 'Ad_', '%', '\\%\\_'])
      expect(await listActions({ actor: pattern })).toEqual(pattern === '%' ? ['removeMember', 'updateTeam'] : [])
    expect(await listActions({ since: at(0.5) })).toEqual(['removeMember', 'updateMember'])
    expect(await listActions({ since: at(0.5), until: at(1.5) })).toEqual(['updateMember'])
    expect(await listActions({ action: null, actor: ' ' })).toHaveLength(3)
  })

  test('is paginated', async () => {
    const { queryEntries, listActions } = await createAuditedTeam()
    expect((await queryEntries({ perPage: 2 })).page).toMatchObject({ total: 3, lastPage: 2 })
    expect(await listActions({ perPage: 2, page: 2 })).toEqual(['updateTeam'])
    expect(await listActions({ page: 9 })).toEqual([])
  })

  test.each([
    [{ perPage: 101 }, { perPage: ['The per page field must not be greater than 100.'] }],
    [{ actor: 'a\0' }, { actor: ['The actor field contains characters that cannot be stored.'] }],
    [{ since: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' }, { until: ['The until field must be a date after since.'] }],
  ])('rejects the arguments %j', async (variables, errors) => {
    const { queryEntries } = await createAuditedTeam()
    expect((await queryEntries(variables)).refusal).toEqual({ code: 'validation_failed', errors, request_id: expect.any(String) })
  })

  test('contains no entries of other teams and no name of a user whose ID is used as a team slug', async () => {
    const { owner, token, team } = await createOwnedTeam(database)
    const outsider = await createUser(database, { name: 'Secret' })
    const otherTeam = await createTeam(database, { slug: outsider.id })
    await join(database, otherTeam, owner, 'owner')
    await graphql(service, token, `mutation { updateTeam(input: { team: "${otherTeam.slug}", name: "Mine" }) { __typename } }`)
    const { data } = await graphql(service, token, query, { team: otherTeam.slug })
    expect(data.team.auditEntries.nodes).toMatchObject([{ subject: outsider.id, subjectName: null }])
    expect((await graphql(service, token, query, { team: team.slug })).data.team.auditEntries.total).toBe(0)
  })

  test('can be read in a session, with personal and team tokens, and by an OAuth client with the scope', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    expect((await executeAs(service, session, query, { team: team.slug })).refusal).toBeNull()
    for (const token of [await personalToken(database, owner), await teamToken(database, team)])
      expect((await graphql(service, token, query, { team: team.slug })).errors).toEqual([])
    const client = {
      ...session,
      authenticationMethod: 'oauth',
      client: { clientId: 'client', name: 'Client', team: team.slug, grantExpiresAt: new Date() },
    } as const
    expect((await executeAs(service, client, query, { team: team.slug })).refusal).toBeNull()
    const narrow = { ...client, scopes: new Set(['acct:team:tokens:read', 'acct:team:access:read'] as const) }
    expect((await executeAs(service, narrow, query, { team: team.slug })).refusal?.code).toBe('insufficient_scope')
  })
})
