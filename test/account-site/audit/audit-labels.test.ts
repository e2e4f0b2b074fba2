import { expect, test } from 'vitest'
import { actionRows, isTeamAction } from '../../../src/account-site/audit/actions.ts'
import { buildSentence, joinSentence } from '../../../src/account-site/audit/sentence.tsx'
import { subjectPages } from '../../../src/account-site/audit/target-page.ts'
import { pages } from '../../../src/account-site/pages.ts'
import { defaultTimes } from '../../../src/web/time-format.ts'
import { isEnumType } from 'graphql'
import { auditActions } from '../../../schema/core/audit/actions.ts'
import type { AuditActionRow } from '../../../schema/core/audit/audited-mutations.ts'
import { schema } from '../../../schema/index.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const type = schema.getType('AuditAction')
const actions = isEnumType(type) ? type.getValues() : []

test('every audited mutation of a team has a label', async () => {
  const teamMutations: string[] = []
  for (const [name, { prepare }] of Object.entries(scenarios)) {
    const { teamId } = await prepare(await createScenarioContext(service))
    if (teamId !== undefined) teamMutations.push(name)
  }
  const labelled = new Set(actions.filter(({ name }) => Object.hasOwn(actionRows, name)).map(({ value }) => String(value)))
  expect(teamMutations.filter((name) => !labelled.has(name))).toEqual([])
  expect(teamMutations.length).toBeGreaterThan(10)
})

test('every audited action is a value of the enum, and those in a team have a label', () => {
  expect(actions.map(({ value }) => String(value)).toSorted()).toEqual(Object.keys(auditActions).toSorted())
  const inTeams = Object.entries<AuditActionRow>(auditActions).flatMap(([name, { events }]) => (events === undefined ? [] : [name]))
  const labelled = actions.filter(({ name }) => Object.hasOwn(actionRows, name)).map(({ value }) => String(value))
  expect(labelled.toSorted()).toEqual(inTeams.toSorted())
})

test('labels belong to existing actions and are unique', () => {
  const names = Object.keys(actionRows)
  const unknown = names.filter((label) => !actions.some(({ name }) => name === label))
  expect([unknown, new Set(Object.values(actionRows).map(({ label }) => label)).size]).toEqual([[], names.length])
})

test('every sentence fills in its placeholders', () => {
  const [before, after] = ['{"name":"Old","role":"owner"}', '{"name":"New","role":"member"}']
  const actor = { actorKind: 'USER', actorName: 'Ada' } as const
  const entry = { ...actor, actionName: '', subject: 'id', subjectName: 'Target', subjectUser: { name: 'Ada' }, before, after }
  for (const action of Object.keys(actionRows).filter(isTeamAction))
    expect(joinSentence(buildSentence({ ...entry, action }, defaultTimes))).not.toMatch(/[{}]|undefined/)
})

test('the subject of an entry leads to a page of the team', () => {
  const subjects = Object.values(subjectPages).filter((page) => page !== null)
  const paths = new Set(pages.map(({ path }) => path.replace(/(?<=\/teams\/:team\/.*):[^:/]+$/, ':id')))
  expect(subjects.filter((page) => !paths.has(`/teams/:team${page}`))).toEqual([])
})
