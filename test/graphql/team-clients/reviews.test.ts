import { describe, expect, test } from 'vitest'
import type { ClientState } from '../../../prisma/generated/client/enums.ts'
import { createUser, personalToken, teamToken, unique } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { createTeamClient, executeWith } from '../../support/oauth/clients/team-client.ts'
import { operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Reviews of clients of teams: docs/decisions/clients.md#reviews.

const service = useService()
const { database } = service
const { prisma } = database

const fields = 'name state rejectionReason version proposedChanges { member }'
const approve = `mutation ($id: ID!, $version: String) { approveClient(input: { clientId: $id, version: $version }) { client { ${fields} } } }`
const reject = `mutation ($id: ID!, $version: String, $reason: String = "Unclear purpose") {
  rejectClient(input: { clientId: $id, version: $version, reason: $reason }) { client { ${fields} } } }`
const update = 'mutation ($input: UpdateTeamClientInput!) { updateTeamClient(input: $input) { client { version } } }'

const versionOf = async (id: string) =>
  (await executeWith(service, operator, 'query ($id: ID!) { client(clientId: $id) { version } }', { id })).data.client.version
const clientRow = (id: string) => prisma.oAuthClient.findUniqueOrThrow({ where: { id } })

const proposal = { name: unique('New'), redirectUris: ['https://new.example/cb'] }

describe('a review', () => {
  test.each([
    ['approves', 'draft', null, null],
    ['approves', 'submitted', null, { state: 'LISTED' }],
    ['approves', 'listed', null, null],
    ['approves', 'listed', proposal, { state: 'LISTED', name: proposal.name }],
    ['approves', 'rejected', null, null],
    ['rejects', 'draft', null, null],
    ['rejects', 'submitted', null, { state: 'REJECTED', rejectionReason: 'Unclear purpose' }],
    ['rejects', 'listed', null, { state: 'REJECTED', rejectionReason: 'Unclear purpose' }],
    ['rejects', 'listed', proposal, { state: 'LISTED', rejectionReason: 'Unclear purpose' }],
    ['rejects', 'rejected', null, null],
  ] as const)('that %s a client that is %s with the changes %j ends in %j', async (verb, state: ClientState, changes, end) => {
    const { client, team, owner } = await createTeamClient(service, { state })
    if (changes)
      await prisma.oAuthClient.update({
        where: { id: client.id },
        data: { proposedChanges: { ...changes, redirectUris: [...changes.redirectUris] } },
      })
    const mails = service.mails.length
    const document = verb === 'approves' ? approve : reject
    const { data, code } = await executeWith(service, operator, document, { id: client.clientId })
    if (!end) {
      expect([code, await clientRow(client.id)]).toEqual(['validation_failed', expect.objectContaining({ state, rejectionReason: null })])
      expect(service.mails.length).toBe(mails)
      return
    }
    const reviewed = (data.approveClient ?? data.rejectClient).client
    expect(reviewed).toMatchObject({ ...end, proposedChanges: [] })
    if (verb === 'rejects') expect(reviewed.name).toBe(client.name)
    const redirectUris = changes && verb === 'approves' ? proposal.redirectUris : client.redirectUris
    expect(await clientRow(client.id)).toMatchObject({ redirectUris, verified: false, proposedChanges: null })
    const reason = verb === 'approves' ? null : 'Unclear purpose'
    const told = { team: team.name, slug: team.slug, clientId: client.clientId, reason, isChange: changes !== null }
    expect(service.mails.slice(mails)).toEqual([
      expect.objectContaining({ kind: 'app-reviewed', userId: owner.id, data: expect.objectContaining(told) }),
    ])
  })

  test.each([
    ['approves', approve],
    ['rejects', reject],
  ])('that %s refuses what has changed since it was looked at', async (_, document) => {
    const { client, session } = await createTeamClient(service, { state: 'submitted' })
    const version = await versionOf(client.clientId)
    const input = { clientId: client.clientId, redirectUris: ['https://evil.example/cb'] }
    await executeWith(service, session, update, { input })
    const { messages } = await executeWith(service, operator, document, { id: client.clientId, version })
    expect(messages).toEqual({ version: ['The client has changed since this version. Review it again.'] })
    expect((await clientRow(client.id)).state).toBe('submitted')
    const again = await executeWith(service, operator, document, { id: client.clientId, version: await versionOf(client.clientId) })
    expect(again.code).toBeUndefined()
  })

  test.each([
    ['a live change', { description: 'other' }],
    ['another proposed change', { name: unique('Other') }],
    ['the withdrawal of the change', { name: null }],
  ])('of changes refuses after %s', async (_, change) => {
    const { client, session } = await createTeamClient(service, { state: 'listed' })
    const { data } = await executeWith(service, session, update, { input: { clientId: client.clientId, name: unique('New') } })
    const { version } = data.updateTeamClient.client
    await executeWith(service, session, update, {
      input: { clientId: client.clientId, ...change, ...('name' in change && { name: change.name ?? client.name }) },
    })
    expect((await executeWith(service, operator, approve, { id: client.clientId, version })).code).toBe('validation_failed')
    expect((await clientRow(client.id)).name).toBe(client.name)
  })

  test('ends once, if two operators approve and reject at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { client } = await createTeamClient(service, { state: 'submitted' })
      const version = await versionOf(client.clientId)
      const outcomes = await Promise.all(
        [approve, reject].map((each) => executeWith(service, operator, each, { id: client.clientId, version })),
      )
      expect(outcomes.filter(({ code }) => code === undefined)).toHaveLength(1)
    }
  })

  test('does not lose a change of the team that comes at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { client, session } = await createTeamClient(service, { state: 'submitted' })
      const input = { clientId: client.clientId, name: unique('Other') }
      const version = await versionOf(client.clientId)
      const [approved] = await Promise.all([
        executeWith(service, operator, approve, { id: client.clientId, version }),
        executeWith(service, session, update, { input }),
      ])
      const row = await clientRow(client.id)
      // Either the approval came first, and the change waits, or the approval was refused.
      if (approved.code === undefined)
        expect(row).toMatchObject({ state: 'listed', name: client.name, proposedChanges: { name: input.name } })
      else expect(row).toMatchObject({ state: 'submitted', name: input.name })
    }
  })

  test('does not give back the access for itself that the team has revoked since', async () => {
    const { client, session } = await createTeamClient(service, {
      state: 'listed',
      grantTypes: ['client_credentials'],
      redirectUris: [],
      requiredScopes: [],
      optionalScopes: ['acct:team:read'],
    })
    const id = client.clientId
    const input = { clientId: id, grantTypes: ['authorization_code', 'client_credentials'], redirectUris: ['https://new.example/cb'] }
    await executeWith(service, session, update, { input })
    await executeWith(service, session, 'mutation ($id: ID!) { revokeClientAccess(input: { clientId: $id }) { client { name } } }', { id })
    await executeWith(service, operator, approve, { id })
    const { grantTypes, redirectUris } = await clientRow(client.id)
    expect({ grantTypes, redirectUris }).toEqual({ grantTypes: ['authorization_code'], redirectUris: input.redirectUris })
  })

  test('of a client of the operator is refused', async () => {
    const { clientId } = await createClient(database)
    for (const document of [approve, reject])
      expect((await executeWith(service, operator, document, { id: clientId })).code).toBe('validation_failed')
  })

  test.each([
    ['', 'The reason field is required.'],
    ['x'.repeat(1001), 'The reason field must not be greater than 1000 characters.'],
  ])('with the reason %j is refused', async (reason, message) => {
    const { client } = await createTeamClient(service, { state: 'submitted' })
    const { messages } = await executeWith(service, operator, reject, { id: client.clientId, reason })
    expect(messages).toEqual({ reason: [message] })
  })

  test('is for operators and staff who support users, not for owners, tokens of the team or readers', async () => {
    const { client, team, owner, session } = await createTeamClient(service, { state: 'submitted' })
    expect((await executeWith(service, session, approve, { id: client.clientId })).code).toBe('operator_only')
    const reader = await sessionOf(service, await createUser(database, { staff: true }))
    expect((await executeWith(service, reader, approve, { id: client.clientId })).code).toBe('role_required')
    for (const token of [await personalToken(database, owner), await teamToken(database, team)])
      expect((await graphql(service, token, approve, { id: client.clientId })).errors[0]?.extensions?.code).toBe('operator_only')
    expect((await clientRow(client.id)).state).toBe('submitted')
  })

  test('makes the audit log of the team say what the operator did', async () => {
    const { client, team, session } = await createTeamClient(service, { state: 'submitted' })
    await executeWith(service, operator, reject, { id: client.clientId })
    const document = `{ team(slug: "${team.slug}") { auditEntries { nodes { action actorKind subjectName after } } } }`
    const { data } = await executeWith(service, session, document)
    expect(data.team.auditEntries.nodes[0]).toMatchObject({ action: 'REJECT_CLIENT', actorKind: 'OPERATOR', subjectName: client.name })
  })
})

test('the list of clients that wait has those submitted and those with proposed changes', async () => {
  const ids = await Promise.all(
    ([{ state: 'draft' }, { state: 'submitted' }, { state: 'listed' }, { state: 'rejected' }] as const).map(
      async (each) => (await createTeamClient(service, each)).client,
    ),
  )
  const waiting = await createTeamClient(service, { state: 'listed' })
  await prisma.oAuthClient.update({ where: { id: waiting.client.id }, data: { proposedChanges: { name: 'New' } } })
  const { data } = await executeWith(service, operator, '{ clients(state: SUBMITTED, perPage: 100) { total nodes { clientId } } }')
  const found = data.clients.nodes.map(({ clientId }: { clientId: string }) => clientId)
  expect(found).toContain(waiting.client.clientId)
  expect(found.filter((id: string) => ids.some(({ clientId }) => clientId === id))).toEqual([ids[1]?.clientId])
  expect(data.clients.total).toBe(found.length)
})
