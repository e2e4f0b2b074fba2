import { describe, expect, test } from 'vitest'
import { auditActions } from '../../../schema/core/audit/actions.ts'
import type { TeamAction } from '../../../schema/core/audit/actions.ts'
import { eventParts } from '../../../schema/events/catalogue.ts'
import { eventTypeNames, eventTypes } from '../../../schema/events/event-types.ts'
import { buildEvent } from '../../../schema/events/event.ts'
import { eventData } from '../../../schema/events/event-data.ts'
import { beginning, findFeedEvents } from '../../../schema/events/stream.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { settled } from '../../support/data/settled.ts'

const service = useService()
const { prisma, pool } = service.database

/** Actions of the consent page, of the clock, of imports, of identity providers and directories, of deliveries and of the deletion of accounts, whose events have tests of their own. */
const actionsWithoutMutation: TeamAction[] = [
  'moveAddress',
  'createGrant',
  'extendGrant',
  'expireInvitation',
  'announceTokenExpiry',
  'addMember',
  'inviteFromDirectory',
  'joinThroughProvider',
  'provisionMember',
  'applyGroups',
  'removeByGroups',
  'deprovisionMember',
  'createScimGroup',
  'updateScimGroup',
  'deleteScimGroup',
  'removeDeletedUser',
  'issueInvoice',
  'issuePaidInvoice',
  'updateInvoice',
  'payInvoice',
  'announceOverdueInvoice',
  'disableWebhook',
  'loseTeamDomain',
]

/** Actions whose scenarios concern no team. */
const actionsOfOperator: TeamAction[] = [
  'readAsStaff',
  'readInSupportSession',
  'updateClient',
  'rotateClientSecret',
  'disableClient',
  'enableClient',
  'deleteClient',
  // Of the team of an invitation.
  'retryMail',
]

/** The entry of an action with a team, or null if the action concerns none. */
async function entryOf(name: string) {
  const scenario = scenarios[name]
  if (!scenario) throw new Error(`no scenario for ${name}`)
  const { principal, variables, browser } = await scenario.prepare(await createScenarioContext(service))
  const { refusal, requestId } = await executeAs(service, principal, scenario.document, variables, undefined, browser)
  expect(refusal).toBeNull()
  return prisma.auditEntry.findFirst({ where: { requestId, teamId: { not: null } } })
}

test('every audited action of a team is an event, or says why it is none', async () => {
  const ofTeams = new Set<string>([...actionsWithoutMutation, ...actionsOfOperator])
  for (const name of Object.keys(scenarios)) if (await entryOf(name)) ofTeams.add(name)
  const rows = Object.entries(auditActions).filter(([, row]) => 'events' in row)
  expect(rows.map(([action]) => action).toSorted()).toEqual([...ofTeams].toSorted())
})

test('every type of event comes from an action', () => {
  expect([...new Set(eventParts.map(({ type }) => type))].toSorted()).toEqual(eventTypeNames.toSorted())
})

const others = new Set<string>(actionsWithoutMutation)
const ofMutations = new Set(eventParts.map(({ action }) => action).filter((action) => !others.has(action)))

describe.each([...ofMutations])('%s', (action) => {
  test('becomes events whose data has the members of its schema', async () => {
    const entry = await entryOf(action)
    if (!entry?.teamId) throw new Error(`${action} wrote no entry`)
    const parts = eventParts.filter((part) => part.action === action)
    await settled(pool)
    const rows = (await findFeedEvents(pool, entry.teamId, beginning, eventParts, 100)).filter(({ id }) => id === entry.id)
    const events = rows.map(buildEvent)
    expect(events.map(({ type }) => type)).toEqual(parts.map(({ type }) => type))
    expect(new Set(events.map(({ id }) => id)).size).toBe(parts.length)
    for (const { type, data } of events) expect(eventData[eventTypes[type].subject].strict().parse(data)).toEqual(data)
  })
})
