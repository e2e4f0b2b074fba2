import { isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import type { Principal, UserPrincipal } from '../../../schema/core/principals.ts'
import { findRequirement } from '../../../schema/core/requires.ts'
import { schema } from '../../../schema/index.ts'
import { readInSupportSession } from '../../../schema/teams/support-sessions/reading.ts'
import { createSupportSession } from '../../support/data/support-session.ts'
import { readStoredText } from '../../support/graphql/all-rows.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { createStaff } from '../../support/graphql/staff/staff.ts'
import { contextOf, executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// The caller as which staff read a page in a support session has the rights of an owner, but no mutation at all.

const service = useService()
const { database } = service
const { prisma } = database

/** The session of an admin of the staff, with which every other condition of a mutation is met. */
const sessionOfStaff = async (): Promise<UserPrincipal> => ({
  ...(await sessionOf(service, await createStaff(database, { staffRole: 'admin' }))),
  provedTwoFactor: true,
})

async function readerOf(team: { id: string; slug: string }, owner: { id: string }): Promise<Principal> {
  await createSupportSession(database, team, owner, { now: service.clock.now() })
  const reading = await readInSupportSession(contextOf(service, await sessionOfStaff()), team.slug, `/teams/${team.slug}`)
  if (!reading) throw new Error('the support session is not open')
  return reading.principal
}

test('reads the team as an owner', async () => {
  const { team, owner } = await createScenarioContext(service)
  const reader = await readerOf(team, owner)
  const document = `{ viewer { teamSlugs staffRole scopes } team(slug: "${team.slug}") { name domains { domain } auditEntries { total } } }`
  const { data, refusal } = await executeAs(service, reader, document)
  expect(refusal).toBeNull()
  expect(data).toMatchObject({ viewer: { teamSlugs: [team.slug], staffRole: null }, team: { name: 'Acme', domains: [] } })
  expect(data?.['viewer'].scopes.filter((scope: string) => scope.startsWith('acct:staff'))).toEqual([])
})

test('has no mutation: each one is marked, and the mark is refused', () => {
  const { Mutation: type } = schema.getTypeMap()
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  expect(fields.length).toBeGreaterThan(100)
  expect(fields.filter(({ extensions }) => findRequirement(extensions)?.mutates !== true).map(({ name }) => name)).toEqual([])
})

test.each(Object.entries(scenarios))('cannot use %s, which changes nothing', async (_, { document, prepare }) => {
  const context = await createScenarioContext(service)
  const { variables, browser } = await prepare(context)
  await prisma.team.updateMany({ where: { id: context.team.id }, data: { deletedAt: null } })
  await prisma.supportSession.updateMany({ where: { teamId: context.team.id }, data: { endedAt: new Date() } })
  const reader = await readerOf(context.team, context.owner)
  const count = await prisma.auditEntry.count()
  const before = await readStoredText(service)
  const { refusal } = await executeAs(service, reader, document, variables, undefined, browser)
  expect([refusal?.code, (await readStoredText(service)) === before, await prisma.auditEntry.count()]).toEqual([
    'role_required',
    true,
    count,
  ])
})
