import { describe, expect, test } from 'vitest'
import type { User } from '../../../../prisma/generated/client/client.ts'
import type { UserPrincipal } from '../../../../schema/core/principals.ts'
import { oauthScopes, scopesOfAnyKind } from '../../../../schema/core/scopes.ts'
import { createUser, join, personalToken, teamToken } from '../../../support/data/team.ts'
import { readStoredText } from '../../../support/graphql/all-rows.ts'
import { createScenarioContext } from '../../../support/graphql/scenarios/scenario.ts'
import type { ScenarioContext } from '../../../support/graphql/scenarios/scenario.ts'
import { mutationsOfUsers, prepareAct, staffActs } from '../../../support/graphql/staff/staff-acts.ts'
import { createStaff } from '../../../support/graphql/staff/staff.ts'
import { sendsWith } from '../../../support/graphql/sends-with.ts'
import type { Send } from '../../../support/graphql/sends-with.ts'
import { accessToken, createGrant } from '../../../support/oauth/oauth-rows.ts'
import { sessionOf } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

// Credentials that must not be enough for what staff do: each mutation is refused and changes nothing.

const service = useService()
const { database, clock } = service
const { prisma } = database
const { byToken, bySession } = sendsWith(service)
const reason = 'Ticket 4711'
const scopes = ['acct:staff:write'] as const

const sessionOfStaff = async (staffRole: 'reader' | 'support' | 'admin', changes: Partial<UserPrincipal> = {}) =>
  bySession({ ...(await sessionOf(service, await createStaff(database, { staffRole }))), ...changes })
const leaveStaff = (user: User) => prisma.user.update({ where: { id: user.id }, data: { staffRole: null } })

/** A code for mutations of operators and staff, and one for those that users can use, too, where it differs. */
interface Row {
  code: string | readonly string[]
  ofUsers?: readonly (string | undefined)[]
  variables?: object
  create(context: ScenarioContext, role: 'support' | 'admin'): Promise<Send>
}

// What a user who is no member of the team, or has not the role or scope, receives from the mutations of users.
const asUser = ['team_forbidden', 'not_found', 'insufficient_scope', 'session_required', 'role_required', 'validation_failed']

const rows: Record<string, Row> = {
  'no credential': { code: 'unauthenticated', create: () => Promise.resolve(byToken('')) },
  'a session of a member': {
    code: 'operator_only',
    ofUsers: asUser,
    create: async ({ member }) => bySession(await sessionOf(service, member)),
  },
  'a session of an owner of another team': {
    code: 'operator_only',
    ofUsers: asUser,
    create: async () => bySession((await createScenarioContext(service)).principal),
  },
  'a token of another team with every scope': {
    code: 'operator_only',
    ofUsers: asUser,
    create: async () => byToken(await teamToken(database, (await createScenarioContext(service)).team, { scopes: [...scopesOfAnyKind] })),
  },
  'a personal token of staff without the scope': {
    code: 'insufficient_scope',
    create: async (_, role) => byToken(await personalToken(database, await createStaff(database, { staffRole: role }))),
  },
  'a personal token of staff with the scope to read alone': {
    code: 'insufficient_scope',
    create: async (_, role) =>
      byToken(await personalToken(database, await createStaff(database, { staffRole: role }), { scopes: ['acct:staff:read'] })),
  },
  'a personal token of staff with the scope that is limited to teams': {
    code: 'session_required',
    async create({ team }, role) {
      const staff = await createStaff(database, { staffRole: role })
      const token = await personalToken(database, staff, { scopes: [...scopes] })
      await prisma.accessToken.updateMany({ where: { userId: staff.id }, data: { teamIds: [team.id] } })
      return byToken(token)
    },
  },
  'a personal token with the scope of a user who is not staff': {
    code: 'operator_only',
    ofUsers: asUser,
    create: async () => byToken(await personalToken(database, await createUser(database), { scopes: [...scopes] })),
  },
  'an OAuth access token of an admin with every scope': {
    code: 'operator_only',
    ofUsers: asUser,
    async create() {
      const granted = [...oauthScopes, ...scopes]
      const grant = await createGrant(database, await createStaff(database, { staffRole: 'admin' }), { scopes: granted })
      await prisma.oAuthClient.update({ where: { id: grant.client.id }, data: { optionalScopes: granted } })
      return byToken(await accessToken(database, grant))
    },
  },
  'a session of a reader': { code: 'role_required', create: () => sessionOfStaff('reader') },
  'a personal token of a reader with the scope in the database': {
    code: 'role_required',
    create: async () => byToken(await personalToken(database, await createStaff(database), { scopes: [...scopes] })),
  },
  'a personal token of an admin who left the staff a moment ago': {
    code: 'operator_only',
    ofUsers: asUser,
    async create() {
      const staff = await createStaff(database, { staffRole: 'admin' })
      const token = await personalToken(database, staff, { scopes: [...scopes] })
      const send = byToken(token)
      expect(await send('{ viewer { staffRole } }', {})).toBeUndefined()
      await leaveStaff(staff)
      return send
    },
  },
  'a session without a second factor': {
    code: 'two_factor_required',
    create: (_, role) => sessionOfStaff(role, { provedTwoFactor: false }),
  },
  'a session that skipped the second factor': {
    code: 'recent_sign_in_required',
    create: (_, role) => sessionOfStaff(role, { authenticatedAt: null }),
  },
  'a session without a recent sign-in': {
    code: 'recent_sign_in_required',
    create: (_, role) => sessionOfStaff(role, { authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) }),
  },
  'a session for which only the provider of a team vouches': {
    code: 'own_proof_required',
    async create(_, role) {
      const session = await sessionOf(service, await createStaff(database, { staffRole: role }))
      return bySession({ ...session, signIns: session.signIns && { ...session.signIns, hasOwnProof: false, isLimited: true } })
    },
  },
  ...Object.fromEntries(
    ['', '   ', '\u200b\u2060', 'x'.repeat(501)].map((each) => [
      `staff with the reason ${JSON.stringify(each.slice(0, 4))} of ${each.length} characters`,
      { code: 'validation_failed', variables: { reason: each }, create: (_: unknown, role: 'support' | 'admin') => sessionOfStaff(role) },
    ]),
  ),
  'staff who are members of the team': {
    code: 'role_required',
    async create({ team }, role) {
      const staff = await createStaff(database, { staffRole: role })
      await join(database, team, staff, 'member')
      return bySession(await sessionOf(service, staff))
    },
  },
}

/** These mutations concern an account, or an app of the operator, and no team. */
const withoutTeam = new Set(
  'retryMail endUserSessions resendUserVerification disableUser enableUser resetSecondFactor disableClient enableClient'.split(' '),
)

describe.each(Object.entries(staffActs))('%s', (name, { role, account }) => {
  const attempt = async (variables: object, create: Row['create']) => {
    const context = await createScenarioContext(service)
    const act = await prepareAct(name, context)
    const send = await create(context, role)
    const before = await readStoredText(service)
    const entriesBefore = await prisma.auditEntry.count()
    const code = await send(act.document, { ...act.variables, ...variables })
    const isUnchanged = (await readStoredText(service)) === before && (await prisma.auditEntry.count()) === entriesBefore
    return { code, isUnchanged }
  }
  const selected = Object.entries(rows).filter(([row]) => !(row.startsWith('staff who are members') && withoutTeam.has(name)))

  test.each(selected)('refuses %s and changes nothing', async (_, { code, ofUsers, variables = {}, create }) => {
    const expected = ofUsers && mutationsOfUsers.includes(name) ? expect.toBeOneOf([...ofUsers]) : code
    expect(await attempt({ reason, ...variables }, create)).toEqual({ code: expected, isUnchanged: true })
  })

  if (!mutationsOfUsers.includes(name) && name !== 'rejectClient')
    test('refuses staff without a reason and changes nothing', async () => {
      expect(await attempt({}, () => sessionOfStaff(role))).toEqual({ code: 'validation_failed', isUnchanged: true })
    })

  if (role === 'admin')
    test('refuses staff who support users and changes nothing', async () => {
      expect(await attempt({ reason }, () => sessionOfStaff('support'))).toEqual({ code: 'role_required', isUnchanged: true })
    })

  if (account) {
    test('refuses staff about their own account, and changes nothing', async () => {
      const own = async (context: ScenarioContext) => {
        const user = await prisma.user.update({ where: { id: context[account].id }, data: { staffRole: role } })
        return bySession(await sessionOf(service, user))
      }
      expect(await attempt({ reason }, own)).toEqual({ code: 'role_required', isUnchanged: true })
    })

    test('refuses staff about an account with the same role of staff, and changes nothing', async () => {
      const equal = async (context: ScenarioContext) => {
        await prisma.user.update({ where: { id: context[account].id }, data: { staffRole: role } })
        return sessionOfStaff(role)
      }
      expect(await attempt({ reason }, equal)).toEqual({ code: 'role_required', isUnchanged: true })
    })
  }
})
