import { describe, expect, test } from 'vitest'
import { isIdentifier } from '../../schema/validation.ts'
import { graphql } from '../support/graphql.ts'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'
import { scenarios, surroundings } from './mutation-scenarios.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const query = `query ($team: String!, $page: Int, $perPage: Int, $action: String, $actor: String, $since: DateTime, $until: DateTime) {
  team(slug: $team) { auditEntries(page: $page, perPage: $perPage, action: $action, actor: $actor, since: $since, until: $until) {
    total lastPage nodes { at action actorKind actorName via subject subjectName before after }
  } }
}`

/** A team in which an owner and a program changed three things, an hour apart. */
async function watched() {
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
  const ask = async (variables: object = {}) => {
    const { data, errors } = await graphql(service, token, query, { team: team.slug, ...variables })
    return { page: data?.team?.auditEntries, refusal: errors[0]?.extensions }
  }
  const actions = async (variables: object) => (await ask(variables)).page.nodes.map(({ action }: { action: string }) => action)
  return { ...owned, member, start, ask, actions }
}

describe('the audit trail of a team', () => {
  test('says who did what, newest first, with old and new values and names as they were', async () => {
    const { team, member, ask } = await watched()
    const { page, refusal } = await ask()
    expect(refusal).toBeUndefined()
    const person = { at: expect.stringMatching(/Z$/), actorKind: 'user', actorName: 'Ada 100%_\\', via: 'personal_token' }
    expect(page).toEqual({
      total: 3,
      lastPage: 1,
      nodes: [
        {
          ...person,
          action: 'removeMember',
          subject: member.id,
          subjectName: 'Bo',
          before: JSON.stringify({ role: 'billing', email: member.email, accessibleAppIds: null }),
          after: null,
        },
        {
          ...person,
          action: 'updateMember',
          actorKind: 'team',
          actorName: 'test',
          via: 'team_token',
          subject: member.id,
          subjectName: 'Bo',
          before: '{"role":"member","accessibleAppIds":null}',
          after: '{"role":"billing","accessibleAppIds":null}',
        },
        { ...person, action: 'updateTeam', subject: team.slug, subjectName: null, before: '{"name":"Acme"}', after: '{"name":"New"}' },
      ],
    })
    await prisma.user.delete({ where: { id: member.id } })
    expect((await ask()).page).toEqual(page)
  })

  test('names every person, token and client that something was done to', async () => {
    const nameless: string[] = []
    let named = 0
    for (const { document, make } of Object.values(scenarios)) {
      const { as, variables, teamId } = await make(await surroundings(service))
      if (teamId === undefined) continue
      const { requestId } = await executeAs(service, as, document, variables)
      const entries = await prisma.auditEntry.findMany({ where: { requestId } })
      for (const { action, subjectName } of entries.filter(({ subject }) => isIdentifier(subject))) {
        if (subjectName === null) nameless.push(action)
        else named += 1
      }
    }
    expect(nameless).toEqual([])
    expect(named).toBeGreaterThan(10)
  })

  test('is filtered by action, by any part of the actor’s name, and by time', async () => {
    const { start, actions } = await watched()
    const at = (hours: number) => new Date(start.getTime() + hours * 3_600_000).toISOString()
    expect(await actions({ action: 'updateTeam' })).toEqual(['updateTeam'])
    expect(await actions({ action: 'nonsense' })).toEqual([])
    expect(await actions({ actor: 'TES' })).toEqual(['updateMember'])
    expect(await actions({ actor: '100%_\\' })).toEqual(['removeMember', 'updateTeam'])
    for (const pattern of ['a%0', 'Ad_', '%', '\\%\\_'])
      expect(await actions({ actor: pattern })).toEqual(pattern === '%' ? ['removeMember', 'updateTeam'] : [])
    expect(await actions({ since: at(0.5) })).toEqual(['removeMember', 'updateMember'])
    expect(await actions({ since: at(0.5), until: at(1.5) })).toEqual(['updateMember'])
    expect(await actions({ action: '', actor: ' ' })).toHaveLength(3)
  })

  test('comes in pages', async () => {
    const { ask, actions } = await watched()
    expect((await ask({ perPage: 2 })).page).toMatchObject({ total: 3, lastPage: 2 })
    expect(await actions({ perPage: 2, page: 2 })).toEqual(['updateTeam'])
    expect(await actions({ page: 9 })).toEqual([])
  })

  test.each([
    [{ perPage: 101 }, { perPage: ['The per page field must not be greater than 100.'] }],
    [{ action: 'x'.repeat(65) }, { action: ['The action field must not be greater than 64 characters.'] }],
    [{ actor: 'a\0' }, { actor: ['The actor field contains characters that cannot be stored.'] }],
    [{ since: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' }, { until: ['The until field must be a date after since.'] }],
  ])('refuses %j', async (variables, errors) => {
    const { ask } = await watched()
    expect((await ask(variables)).refusal).toEqual({ code: 'validation_failed', errors })
  })

  test('tells nothing of other teams, nor of a person or token that a slug was made to look like', async () => {
    const { owner, token, team } = await createOwnedTeam(database)
    const stranger = await createUser(database, { name: 'Secret' })
    const elsewhere = await createTeam(database, { slug: stranger.id })
    await join(database, elsewhere, owner, 'owner')
    await graphql(service, token, `mutation { updateTeam(input: { team: "${elsewhere.slug}", name: "Mine" }) { __typename } }`)
    const { data } = await graphql(service, token, query, { team: elsewhere.slug })
    expect(data.team.auditEntries.nodes).toMatchObject([{ subject: stranger.id, subjectName: null }])
    expect((await graphql(service, token, query, { team: team.slug })).data.team.auditEntries.total).toBe(0)
  })

  test('is open in a session and by both kinds of token, and to no client', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    expect((await executeAs(service, session, query, { team: team.slug })).refusal).toBeNull()
    for (const token of [await personalToken(database, owner), await teamToken(database, team)])
      expect((await graphql(service, token, query, { team: team.slug })).errors).toEqual([])
    const client = { ...session, via: 'oauth', client: { clientId: 'client', team: team.slug } } as const
    expect((await executeAs(service, client, query, { team: team.slug })).refusal?.code).toBe('insufficient_scope')
  })
})
