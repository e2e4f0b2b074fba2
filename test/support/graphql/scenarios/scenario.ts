import type { Principal } from '../../../../schema/core/principals.ts'
import { createTeam, createUser, join } from '../../data/team.ts'
import { sessionOf } from '../../service/in-process.ts'
import type { TestBrowser } from '../../service/test-browser.ts'
import type { TestService } from '../../service/service.ts'

/** A team with a member and an owner; most scenarios run in the owner’s session. */
export async function createScenarioContext(service: TestService) {
  const { database } = service
  const team = await createTeam(database, { timezone: 'UTC' })
  const owner = await createUser(database)
  await join(database, team, owner, 'owner')
  const member = await createUser(database)
  await join(database, team, member, 'member')
  const principal = await sessionOf(service, owner)
  return { service, team, owner, member, principal }
}

export type ScenarioContext = Awaited<ReturnType<typeof createScenarioContext>>

/** The caller and variables of a mutation that succeeds, and the audit entry that it writes. */
export interface Scenario {
  principal: Principal
  variables?: Record<string, unknown>
  /** The browser that an earlier mutation has left something in. */
  browser?: TestBrowser
  /** A value that no audit entry may contain, in addition to the values that every scenario checks. */
  secret?: string
  /** Expected members of the audit entry; all others are the same for every scenario. */
  teamId?: string
  subject?: string
  subjectName?: string
  before?: object
  after?: object
}

/** By the name of the mutation. */
export type Scenarios = Record<string, { document: string; prepare(context: ScenarioContext): Promise<Scenario> | Scenario }>
