import { beforeAll, describe, expect, test } from 'vitest'
import { globalId } from '../../../../schema/core/global-id.ts'
import { rowsRead } from '../../../support/data/rows-read.ts'
import { createOwnedTeam, createTeam, unique } from '../../../support/data/team.ts'
import { createStaff, staffToken } from '../../../support/graphql/staff/staff.ts'
import { graphql } from '../../../support/http/graphql.ts'
import { createClient } from '../../../support/oauth/oauth.ts'
import { useService } from '../../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database
let token: string
beforeAll(async () => {
  token = await staffToken(database, await createStaff(database))
})

const read = async (selection: string) => {
  const { data, errors } = await graphql(service, token, `{ staff { ${selection} } }`)
  return errors.length > 0 ? errors : data.staff
}

describe('staff.clients', () => {
  test('finds the clients in a state, and those that wait for a review', async () => {
    const publisher = unique('publisher')
    const team = await createTeam(database)
    const create = (name: string, data: object) => createClient(database, { ownerTeamId: team.id, publisher, name, ...data })
    await create('Draft', { state: 'draft' })
    await create('Listed', { state: 'listed', updatedAt: new Date('2026-01-01T00:00:00Z') })
    await create('Submitted', { state: 'submitted', updatedAt: new Date('2026-01-03T00:00:00Z') })
    await create('Changed', { state: 'listed', proposedChanges: { name: 'New' }, updatedAt: new Date('2026-01-02T00:00:00Z') })
    const names = async (args: string) =>
      (await read(`clients(search: "${publisher}", ${args}) { nodes { name } }`)).clients.nodes.map(({ name }: { name: string }) => name)
    const byName = 'orderBy: { field: NAME, direction: ASC }'
    expect(await names(`state: SUBMITTED, ${byName}`)).toEqual(['Changed', 'Submitted'])
    expect(await names(`state: LISTED, ${byName}`)).toEqual(['Changed', 'Listed'])
    expect(await names(`state: DRAFT, ${byName}`)).toEqual(['Draft'])
    expect(await names('orderBy: { field: REVIEW, direction: ASC }')).toEqual(['Changed', 'Submitted', 'Listed', 'Draft'])
  })

  test('finds words by their beginnings, and reads few rows for that', async () => {
    await database.pool.query(
      `INSERT INTO oauth_clients (client_id, name, confidential, redirect_uris, grant_types, required_scopes, optional_scopes)
       SELECT 'many-' || n, 'Many ' || n, false, '{https://app.example/callback}', '{authorization_code}', '{openid}', '{}' FROM generate_series(1, 20000) n`,
    )
    await database.pool.query('ANALYZE oauth_clients')
    const names = async (search: string) =>
      (await read(`clients(search: "${search}") { total nodes { name } }`)).clients.nodes.map(({ name }: { name: string }) => name)
    service.executions.length = 0
    expect(await names('many 1999')).toEqual(['Many 1999', ...Array.from({ length: 10 }, (_, index) => `Many 1999${index}`)])
    const reads = service.executions.filter(({ text }) => text.includes('oauth_clients') && !text.includes('audit_entries'))
    expect(reads.length).toBeGreaterThanOrEqual(1)
    const rows = await Promise.all(reads.map(({ text, values }) => rowsRead(database.pool, text, values)))
    expect(rows.filter((count) => count > 2000)).toEqual([])
    expect(await names('many any')).toEqual([])
    expect(await names('@')).toEqual([])
    expect(await names(`it's`)).toEqual([])
  })

  test('pages through the connection in the order of reviews', async () => {
    const publisher = unique('publisher')
    for (const state of ['submitted', 'listed', 'submitted'] as const) await createClient(database, { publisher, state })
    const states: string[] = []
    for (let after = 'null'; ;) {
      const args = `search: "${publisher}", orderBy: { field: REVIEW, direction: ASC }, first: 1, after: ${after}`
      const { edges, pageInfo } = (await read(`clientsConnection(${args}) { edges { node { state } } pageInfo { endCursor hasNextPage } }`))
        .clientsConnection
      states.push(edges[0].node.state)
      if (!pageInfo.hasNextPage) break
      after = JSON.stringify(pageInfo.endCursor)
    }
    expect(states).toEqual(['SUBMITTED', 'SUBMITTED', 'LISTED'])
  })
})

describe('staff.client', () => {
  const selection = '{ name state version ownerTeamSlug secrets { createdAt } proposedChanges { member live proposed } }'

  test('compares the current values with those that wait for a review, by identifier and global id', async () => {
    const team = await createTeam(database)
    const changes = { name: 'Reports 2', redirectUris: ['https://new.example/callback'] }
    const { id, clientId, secret } = await createClient(database, { ownerTeamId: team.id, name: 'Reports' })
    await prisma.oAuthClient.update({ where: { id }, data: { proposedChanges: changes } })
    const expected = {
      name: 'Reports',
      state: 'LISTED',
      version: expect.any(String),
      ownerTeamSlug: team.slug,
      secrets: [{ createdAt: expect.any(String) }],
      proposedChanges: expect.toSatisfy((list: object[]) => list.length === 2),
    }
    const { client } = await read(`client(clientId: "${clientId}") ${selection}`)
    expect(client).toEqual(expected)
    expect(client.proposedChanges).toEqual(
      expect.arrayContaining([
        { member: 'name', live: ['Reports'], proposed: ['Reports 2'] },
        { member: 'redirectUris', live: ['https://app.example/callback'], proposed: ['https://new.example/callback'] },
      ]),
    )
    expect(JSON.stringify(client)).not.toContain(secret)
    const reference = globalId({ type: 'OAuthClient', key: [clientId] })
    expect((await read(`client(clientId: "${reference}") ${selection}`)).client).toEqual(client)
  })

  test('returns not_found for a client that does not exist', async () => {
    for (const clientId of ['no-such-client', '\\u0000', ''])
      expect((await read(`client(clientId: "${clientId}") { name }`))[0].extensions.code).toBe('not_found')
  })

  test('writes an entry to the audit log of the team that owns the client, whose owners see it', async () => {
    const owned = await createOwnedTeam(database)
    const { clientId } = await createClient(database, { ownerTeamId: owned.team.id })
    await read(`client(clientId: "${clientId}") { name }`)
    await read(`client(clientId: "${globalId({ type: 'OAuthClient', key: [clientId] })}") { state }`)
    const query = `{ team(slug: "${owned.team.slug}") { auditEntries(action: READ_AS_STAFF, orderBy: { field: TIME, direction: ASC }) {
      nodes { subject subjectName after subjectObject { ... on Team { slug } } } } } }`
    const { data } = await graphql(service, owned.token, query)
    const entry = { subject: owned.team.slug, subjectName: 'client', subjectObject: { slug: owned.team.slug } }
    expect(data.team.auditEntries.nodes).toEqual([
      { ...entry, after: JSON.stringify({ fields: ['name'], arguments: { clientId } }) },
      { ...entry, after: expect.stringContaining('"fields":["state"]') },
    ])
  })

  test('writes an entry about the client if no team owns it, or if there is none', async () => {
    const { clientId } = await createClient(database)
    for (const subject of [clientId, unique('no-such-client')]) {
      await read(`client(clientId: "${subject}") { name }`)
      expect(await prisma.auditEntry.findMany({ where: { action: 'readAsStaff', subject } })).toEqual([
        expect.objectContaining({ teamId: null, subjectName: 'client' }),
      ])
    }
  })
})
