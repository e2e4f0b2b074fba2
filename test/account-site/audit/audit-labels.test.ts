import { expect, test } from 'vitest'
import { actionLabels } from '../../../src/account-site/audit/labels.ts'
import { scenarios } from '../../support/graphql/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenario.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

test('every audited mutation of a team has a label', async () => {
  const teamMutations: string[] = []
  for (const [name, { prepare }] of Object.entries(scenarios)) {
    const { teamId } = await prepare(await createScenarioContext(service))
    if (teamId !== undefined) teamMutations.push(name)
  }
  expect(teamMutations.filter((name) => !Object.hasOwn(actionLabels, name))).toEqual([])
  expect(teamMutations.length).toBeGreaterThan(10)
})

test('labels belong to existing mutations and are unique', () => {
  const unknown = Object.keys(actionLabels).filter((name) => !Object.hasOwn(scenarios, name))
  expect([unknown, new Set(Object.values(actionLabels)).size]).toEqual([[], Object.keys(actionLabels).length])
})
