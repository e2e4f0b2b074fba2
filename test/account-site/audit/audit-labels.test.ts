import { expect, test } from 'vitest'
import { actionLabels } from '../../../src/account-site/audit/labels.ts'
import { isEnumType } from 'graphql'
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
  const labelled = new Set(actions.filter(({ name }) => Object.hasOwn(actionLabels, name)).map(({ value }) => String(value)))
  expect(teamMutations.filter((name) => !labelled.has(name))).toEqual([])
  expect(teamMutations.length).toBeGreaterThan(10)
})

test('labels belong to existing actions and are unique', () => {
  const unknown = Object.keys(actionLabels).filter((label) => !actions.some(({ name }) => name === label))
  expect([unknown, new Set(Object.values(actionLabels)).size]).toEqual([[], Object.keys(actionLabels).length])
})
