import { describe, expect, test } from 'vitest'
import { routes } from '../../../rest-facade/routes/index.ts'
import { teamToken } from '../../support/data/team.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { changedColumns, readRow } from '../../support/graphql/updates/row.ts'
import { settingUpdates } from '../../support/graphql/updates/setting-updates.ts'
import { teamUpdates } from '../../support/graphql/updates/team-updates.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

// A PATCH leaves every member as it is that its body does not have.

const service = useService()
const updates = { ...teamUpdates, ...settingUpdates }

interface Body {
  /** The mutation with the same effect, which has an object without a default in it. */
  mutation: string
  /** A value of each member, and the columns that it may change. */
  members: Record<string, [value: unknown, ...columns: string[]]>
}

const bodies: Record<string, Body> = {
  'v1.teams.update': {
    mutation: 'updateTeam',
    members: {
      name: ['Northwind', 'name'],
      timezone: ['Europe/Paris', 'timezone'],
      gravatar_email: ['other@example.com', 'gravatar_email'],
    },
  },
  'v1.teams.members.update': {
    mutation: 'updateMember',
    members: { role: ['member', 'role'], accessible_app_ids: [['deploy'], 'applications', 'all_applications'] },
  },
  'v1.teams.webhooks.update': {
    mutation: 'updateWebhook',
    members: {
      url: ['http://127.0.0.1:9/other', 'url'],
      description: ['Other', 'description'],
      types: [['member.joined'], 'types'],
      enabled: [true, 'disabled_at', 'disabled_reason', 'failing_since', 'failed_events', 'warned_at'],
    },
  },
}

const changes = routes.filter(({ method }) => method === 'patch')

test('every route that changes a resource, and each member of its body, is part of this test', () => {
  const names = (body: object) => Object.keys(body).toSorted()
  expect(Object.entries(bodies).map(([id, { members }]) => [id, names(members)])).toEqual(
    expect.arrayContaining(changes.map(({ operationId, body }) => [operationId, names(body?.shape ?? {})])),
  )
})

/** Sends a body to a new object without defaults. */
async function send(operationId: string, path: string, body: object) {
  const context = await createScenarioContext(service)
  const { mutation } = bodies[operationId] ?? expect.fail(operationId)
  const update = await (updates[mutation] ?? expect.fail(mutation))(context)
  const ids: Record<string, string> = { teamSlug: context.team.slug, userId: context.member.id, webhookId: update.row['id'] ?? '' }
  const before = await readRow(service, update)
  const token = await teamToken(service.database, context.team)
  const { status } = await request(service, 'PATCH', `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')}`, {
    token,
    body,
  })
  const after = await readRow(service, update)
  return { status, after, changed: changedColumns(before, after) }
}

describe.each(changes.map(({ operationId, path, body }) => ({ operationId, path, members: Object.keys(body?.shape ?? {}) })))(
  '$operationId',
  ({ operationId, path, members }) => {
    test('without a member changes nothing', async () => {
      const { status, changed } = await send(operationId, path, {})
      expect([status, changed]).toEqual([expect.toBeOneOf([200, 204, 422]), []])
    })

    test.each(members)('with %s alone changes nothing else', async (member) => {
      const [value, ...columns] = bodies[operationId]?.members[member] ?? []
      const { status, changed } = await send(operationId, path, { [member]: value })
      expect([200, 204]).toContain(status)
      expect(changed.length).toBeGreaterThan(0)
      expect(columns).toEqual(expect.arrayContaining(changed))
    })

    test.each(members)('with null for %s removes its value, or is refused', async (member) => {
      const { status, after, changed } = await send(operationId, path, { [member]: null })
      // Null for the products of a member means all of them.
      if (member === 'accessible_app_ids') expect([status, after['all_applications']]).toEqual([204, true])
      else expect([status, ...changed.map((column) => after[column])]).toBeOneOf([[422], [200, null]])
    })
  },
)
