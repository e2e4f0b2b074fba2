import { expect, test } from 'vitest'
import { actionWords } from '../../src/account-site/team/audit-words.ts'
import { scenarios, surroundings } from '../graphql/mutation-scenarios.ts'
import { startService } from '../support/service.ts'

const service = await startService()

test('whatever is done to a team has words of its own', async () => {
  const ofTeams: string[] = []
  for (const [name, { make }] of Object.entries(scenarios)) {
    const { teamId } = await make(await surroundings(service))
    if (teamId !== undefined) ofTeams.push(name)
  }
  expect(ofTeams.filter((name) => !Object.hasOwn(actionWords, name))).toEqual([])
  expect(ofTeams.length).toBeGreaterThan(10)
})

test('the words are of mutations alone, and differ', () => {
  const unknown = Object.keys(actionWords).filter((name) => !Object.hasOwn(scenarios, name))
  expect([unknown, new Set(Object.values(actionWords)).size]).toEqual([[], Object.keys(actionWords).length])
})
