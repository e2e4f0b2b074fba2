import { describe, expect, test } from 'vitest'
import { oauthScopes, scopesOfAnyKind } from '../../../schema/core/scopes.ts'
import { createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import { readStoredText } from '../../support/graphql/all-rows.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import type { ScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { supportSessionScenarios } from '../../support/graphql/scenarios/support-session-scenarios.ts'
import { sendsWith } from '../../support/graphql/sends-with.ts'
import type { Send } from '../../support/graphql/sends-with.ts'
import { createStaff } from '../../support/graphql/staff/staff.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Credentials that must not be enough to open or end a support session: each mutation is refused and changes nothing.

const service = useService()
const { database, clock } = service
const { prisma } = database
const { byToken, bySession } = sendsWith(service)

interface Row {
  /** The code of the refusal to open, and that to end if it differs; null if it is not refused. */
  code: string
  toEnd?: string | null
  create(context: ScenarioContext): Promise<Send>
}

const rows: Record<string, Row> = {
  'no credential': { code: 'unauthenticated', create: () => Promise.resolve(byToken('')) },
  'a session of a member': { code: 'role_required', create: async ({ member }) => bySession(await sessionOf(service, member)) },
  'a session of a billing member': {
    code: 'role_required',
    async create({ team }) {
      const user = await createUser(database)
      await join(database, team, user, 'billing')
      return bySession(await sessionOf(service, user))
    },
  },
  'a session of an owner of another team': {
    code: 'team_forbidden',
    toEnd: 'not_found',
    create: async () => bySession((await createScenarioContext(service)).principal),
  },
  'a session of an owner whose sign-in is not recent': {
    code: 'recent_sign_in_required',
    toEnd: null,
    create: ({ principal }) => Promise.resolve(bySession({ ...principal, authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) })),
  },
  'a session of an owner that lacks the second factor of the account': {
    code: 'recent_sign_in_required',
    toEnd: null,
    create: ({ principal }) => Promise.resolve(bySession({ ...principal, authenticatedAt: null })),
  },
  'a personal token of an owner with every scope': {
    code: 'session_required',
    create: async ({ owner }) => byToken(await personalToken(database, owner, { scopes: [...scopesOfAnyKind] })),
  },
  'a token of the team with every scope': {
    code: 'session_required',
    create: async ({ team }) => byToken(await teamToken(database, team, { scopes: [...scopesOfAnyKind] })),
  },
  'an OAuth access token of an owner with every scope': {
    code: 'session_required',
    create: async ({ owner, team }) =>
      byToken(await accessToken(database, await createGrant(database, owner, { team, scopes: oauthScopes }))),
  },
  'a session of an admin of the staff': {
    code: 'team_forbidden',
    toEnd: 'not_found',
    create: async () => bySession(await sessionOf(service, await createStaff(database, { staffRole: 'admin' }))),
  },
  'a personal token of an admin of the staff': {
    code: 'team_forbidden',
    toEnd: 'session_required',
    create: async () =>
      byToken(await personalToken(database, await createStaff(database, { staffRole: 'admin' }), { scopes: ['acct:staff:write'] })),
  },
}

describe.each(Object.entries(supportSessionScenarios))('%s', (name, { document, prepare }) => {
  test.each(Object.entries(rows))('%s is not enough', async (_, { code, toEnd, create }) => {
    const expected = name === 'endSupportSession' && toEnd !== undefined ? toEnd : code
    const context = await createScenarioContext(service)
    const { variables = {} } = await prepare(context)
    const send = await create(context)
    const before = await readStoredText(service)
    const entriesBefore = await prisma.auditEntry.count()
    expect((await send(document, variables)) ?? null).toBe(expected)
    if (expected === null) return
    expect([(await readStoredText(service)) === before, await prisma.auditEntry.count()]).toEqual([true, entriesBefore])
  })
})
