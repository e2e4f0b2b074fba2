import { describe, expect, test } from 'vitest'
import { globalId } from '../../../schema/core/global-id.ts'
import { createOwnedTeam, createTeam, join, teamToken, unique } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

async function readAs(query: string, variables: Record<string, unknown> = {}) {
  const staff = await createStaff(database)
  const response = await graphql(service, await staffToken(database, staff), query, variables)
  const entries = await prisma.auditEntry.findMany({ where: { actorUserId: staff.id }, orderBy: { subject: 'asc' } })
  return { ...response, staff, entries }
}

test('each read by staff writes an audit entry with the reader, the fields and the filters', async () => {
  const { team } = await createOwnedTeam(database)
  const query = `query ($slug: String!, $search: String) {
    staff { ...Parts team(slug: $slug) { name members(search: $search, perPage: 5) { nodes { email } } } }
  }
  fragment Parts on Staff { found: users(search: $search, isDisabled: true) { total } }`
  const { staff, entries, headers, errors } = await readAs(query, { slug: team.slug, search: 'ada' })
  expect(errors).toEqual([])
  const actor = {
    action: 'readAsStaff',
    actorKind: 'user',
    actorName: 'Grace',
    actorUserId: staff.id,
    authenticationMethod: 'personal_token',
    credentialId: expect.any(String),
    requestId: headers.get('x-request-id'),
    before: null,
  }
  expect(entries).toEqual([
    expect.objectContaining({
      ...actor,
      teamId: team.id,
      subject: team.slug,
      subjectName: 'team',
      after: { arguments: { slug: team.slug }, fields: ['members(search: "ada", perPage: 5).nodes.email', 'name'] },
    }),
    expect.objectContaining({
      ...actor,
      teamId: null,
      subject: 'users',
      subjectName: 'users',
      after: { arguments: { search: 'ada', isDisabled: true }, fields: ['total'] },
    }),
  ])
})

test('a read that finds nothing, or that is refused for its arguments, is recorded, too', async () => {
  const { entries } = await readAs('{ staff { team(slug: "no-such-team") { name } tokens(perPage: 1000) { total } } }')
  expect(entries.map(({ subject, subjectName }) => [subject, subjectName])).toEqual([
    ['no-such-team', 'team'],
    ['tokens', 'tokens'],
  ])
})

test('a repeated query with a refused field writes one entry for each request', async () => {
  const { team } = await createOwnedTeam(database)
  const staff = await createStaff(database)
  const token = await staffToken(database, staff)
  // A personal token may not list passkeys.
  const query = `{ staff { team(slug: "${team.slug}") { name } } viewer { passkeys { name } } }`
  for (let request = 0; request < 5; request++)
    expect((await graphql(service, token, query)).errors).toEqual([expect.objectContaining({ path: ['viewer', 'passkeys'] })])
  expect(await prisma.auditEntry.count({ where: { actorUserId: staff.id } })).toBe(5)
})

describe('the audit log of a team contains', () => {
  const logOf = async ({ team, token }: OwnedTeam) => {
    const query = `{ team(slug: "${team.slug}") { auditEntries(action: READ_AS_STAFF, orderBy: { field: TIME, direction: ASC }) {
      nodes { actorName subject subjectName subjectObject { ... on Team { slug } } } } } }`
    const { data } = await graphql(service, token, query)
    return data.team.auditEntries.nodes
  }
  const entryOf = ({ team }: OwnedTeam, subjectName: string) => ({
    actorName: 'Grace',
    subject: team.slug,
    subjectName,
    subjectObject: { slug: team.slug },
  })

  test('an entry for each read by staff that names the team by slug or global id', async () => {
    const [owned, other] = [await createOwnedTeam(database), await createOwnedTeam(database)]
    const id = globalId({ type: 'Team', key: [owned.team.slug] })
    for (const selection of [
      `team(slug: "${owned.team.slug}") { name members { nodes { email } } }`,
      `tokens(team: "${id}") { nodes { name } }`,
      `auditEntriesConnection(team: "${owned.team.slug}") { nodes { entry { id } } }`,
    ])
      expect((await readAs(`{ staff { ${selection} } }`)).errors).toEqual([])
    expect(await logOf(owned)).toEqual([entryOf(owned, 'team'), entryOf(owned, 'tokens'), entryOf(owned, 'auditEntriesConnection')])
    expect(await logOf(other)).toEqual([])
  })

  test('an entry if staff read its members in a list of teams, and none if they read only its properties', async () => {
    const name = unique('listed')
    const teams = await Promise.all([1, 2, 3].map(() => createOwnedTeam(database, { name })))
    for (const { team } of teams) await teamToken(database, team)
    await readAs(`{ staff { teams(search: "${name}") { total nodes { slug name createdAt } } } }`)
    for (const owned of teams) expect(await logOf(owned)).toEqual([])
    service.statements.length = 0
    const { data } = await readAs(`{ staff { teams(search: "${name}") { nodes { slug members { nodes { email } } } } } }`)
    expect(data.staff.teams.nodes).toHaveLength(3)
    expect(service.statements.filter((text) => text.startsWith('INSERT INTO audit_entries'))).toHaveLength(2)
    for (const owned of teams) expect(await logOf(owned)).toEqual([entryOf(owned, 'members')])
    const [first] = teams
    if (!first) throw new Error('no team')
    await readAs(`{ staff { tokens(search: "test", perPage: 100) { nodes { team { membersConnection { totalCount } } } } } }`)
    expect(await logOf(first)).toEqual([entryOf(first, 'members'), entryOf(first, 'membersConnection')])
  })
})

test('the value of a token in a search is not recorded', async () => {
  const value = await teamToken(database, await createTeam(database))
  const { entries } = await readAs('query ($search: String) { staff { tokens(search: $search) { total } } }', { search: `x ${value} y` })
  expect(entries[0]?.after).toEqual({ arguments: { search: `x tat_…${value.slice(-4)} y` }, fields: ['total'] })
})

test('fields with arguments are recorded before others, and an entry states how much its limits leave out', async () => {
  const { team } = await createOwnedTeam(database)
  const searched = Array.from({ length: 60 }, (_, index) => `a${index}: members(search: "${index}") { total page perPage lastPage }`)
  const { entries } = await readAs(`{ staff { team(slug: "${team.slug}") { slug ${searched.join(' ')} name } } }`)
  const { fields }: { fields: string[] } = JSON.parse(JSON.stringify(entries[0]?.after))
  expect([fields.length, fields[0], fields[200]]).toEqual([201, 'members(search: "0").total', '… and 42 more'])
})

test('the arguments of each field are recorded, however many leaves and aliases a document has', async () => {
  const { team } = await createOwnedTeam(database)
  const searched = Array.from({ length: 150 }, (_, index) => `a${index}: members(search: "${index}") { total page }`)
  const { entries, errors } = await readAs(`{ staff { team(slug: "${team.slug}") { ${searched.join(' ')} } } }`)
  const { fields }: { fields: string[] } = JSON.parse(JSON.stringify(entries[0]?.after))
  const recorded = fields.flatMap((path) => /search: "(\d+)"/.exec(path)?.[1] ?? [])
  expect([errors, new Set(recorded).size, fields.length, fields.at(-1)]).toEqual([[], 150, 201, '… and 100 more'])
})

test('a long argument is recorded with the number of characters that are left out', async () => {
  const { entries } = await readAs('query ($search: String) { staff { users(search: $search) { total } } }', { search: 'x'.repeat(300) })
  expect(entries[0]?.after).toEqual({ arguments: { search: `${'x'.repeat(255)}… (45 more characters)` }, fields: ['total'] })
})

test('nothing is returned if the audit entry cannot be written', async () => {
  const staff = await createStaff(database)
  await prisma.$executeRaw`CREATE OR REPLACE FUNCTION reject_entries() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''audit insert failed''; END'`
  await prisma.$executeRaw`CREATE TRIGGER reject_entries BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION reject_entries()`
  try {
    await expect(executeAs(service, await sessionOf(service, staff), '{ staff { users { total } } }')).rejects.toThrow(
      'audit insert failed',
    )
  } finally {
    await prisma.$executeRaw`DROP TRIGGER reject_entries ON audit_entries`
  }
})

test('reads in a staff session are listed in the audit entries of staff', async () => {
  const staff = await createStaff(database)
  const { team } = await createOwnedTeam(database)
  await join(database, team, staff, 'member')
  await executeAs(service, await sessionOf(service, staff), '{ staff { clients(search: "dash") { total } } }')
  const query = `{ staff { auditEntries(user: "${staff.email}", action: READ_AS_STAFF) { nodes { entry { action subject authenticationMethod } } } } }`
  const { data } = await graphql(service, await staffToken(database, staff), query)
  expect(data.staff.auditEntries.nodes).toEqual([
    { entry: { action: 'READ_AS_STAFF', subject: 'auditEntries', authenticationMethod: 'PERSONAL_TOKEN' } },
    { entry: { action: 'READ_AS_STAFF', subject: 'clients', authenticationMethod: 'SESSION' } },
  ])
})
