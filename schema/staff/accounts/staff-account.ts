import { UserType } from '../../accounts/user.ts'
import { AuditEntryType } from '../../audit/audit-entry.ts'
import { builder } from '../../builder/builder.ts'
import { notFound } from '../../core/errors.ts'
import { parseIdentifier } from '../../core/global-id.ts'
import { isIdentifier } from '../../core/validation.ts'
import { FailedSignInsType } from '../../security/sign-in/failed-sign-ins.ts'
import { findOpenSession, SupportSessionType } from '../../teams/support-sessions/support-session.ts'
import { StaffType } from '../staff.ts'
import {
  StaffGrantType,
  StaffIdentityType,
  StaffMembershipType,
  StaffPendingLinkType,
  StaffPersonalTokenType,
  StaffSecondFactorType,
  StaffSessionType,
} from './account-parts.ts'
import { listedMost, readAccount } from './account-row.ts'
import type { AccountRow } from './account-row.ts'
import { activityLength, readActivity } from './activity.ts'
import { FailedAttemptsType, readFailedAttempts } from './failed-attempts.ts'

const StaffAccountType = builder.objectRef<AccountRow>('StaffAccount').implement({
  description:
    'The state of an account, for staff: what explains why its user cannot sign in or receives no email. It contains no secrets.',
  fields: (t) => ({
    user: t.field({
      type: UserType,
      description: 'The user.',
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no field of the type reads the secrets
      resolve: ({ user }) => user as typeof UserType.$inferType,
    }),
    hasPassword: t.exposeBoolean('hasPassword', { description: 'Whether the user has set a password.' }),
    lastActiveAt: t.expose('lastActiveAt', { type: 'DateTime', nullable: true, describedBy: 'User.lastActiveAt' }),
    secondFactor: t.field({ type: StaffSecondFactorType, description: 'Two-factor authentication.', resolve: (account) => account }),
    sessionCount: t.exposeInt('sessionCount', { description: 'Number of browsers in which the user is signed in.' }),
    sessions: t.expose('sessions', {
      type: [StaffSessionType],
      description: `The browsers in which the user is signed in, most recently used first, at most ${listedMost}.`,
    }),
    membershipCount: t.exposeInt('membershipCount', { description: 'Number of teams of the user.' }),
    memberships: t.expose('memberships', {
      type: [StaffMembershipType],
      description: `The teams of the user, by slug, at most ${listedMost}. Of a team, staff can read its properties and members.`,
    }),
    identities: t.expose('identities', {
      type: [StaffIdentityType],
      description: `The accounts at identity providers through which the user can sign in, the last one used first, at most ${listedMost}.`,
    }),
    connectedAppCount: t.exposeInt('connectedAppCount', { description: 'Number of apps that the user has connected.' }),
    grants: t.expose('grants', {
      type: [StaffGrantType],
      description: `The access of the connected apps, most recently used first, at most ${listedMost}.`,
    }),
    personalTokenCount: t.exposeInt('personalTokenCount', { description: 'Number of personal access tokens that work.' }),
    personalTokens: t.expose('personalTokens', {
      type: [StaffPersonalTokenType],
      description: `The personal access tokens that work, most recently used first, at most ${listedMost}.`,
    }),
    pendingLinks: t.expose('pendingLinks', {
      type: [StaffPendingLinkType],
      description: 'The links and codes that were emailed to the user and that still work, newest first.',
    }),
    supportSession: t.field({
      type: SupportSessionType,
      nullable: true,
      description: 'The open support session of the account, in which staff can read its pages, or null.',
      resolve: ({ user }, _, context) => findOpenSession(context, 'user', user.id),
    }),
    failedAttempts: t.field({
      type: [FailedAttemptsType],
      description: 'The attempts to sign in that count for the attempt limits now; empty if there are none.',
      resolve: ({ user }, _, context) => readFailedAttempts(context, user),
    }),
    failedSignIns: t.expose('failedSignIns', {
      type: [FailedSignInsType],
      description: 'Why sign-ins to the account failed, the latest first.',
    }),
    activity: t.field({
      type: [AuditEntryType],
      description: `The latest audit entries by the user, in the teams of the user and outside of teams, and about the user, at most ${activityLength}. Reads by staff are left out.`,
      resolve: ({ user }, _, context) => readActivity(context, user.id),
    }),
  }),
})

builder.objectField(StaffType, 'account', (t) =>
  t.field({
    description: 'The state of one account.',
    type: StaffAccountType,
    complexity: 20,
    args: { id: t.arg.id({ required: true, description: 'The user’s identifier, or the global id.' }) },
    resolve: async (_, { id }, { database, now }) => {
      const userId = parseIdentifier(id, ['User', 'Person'])
      const account = isIdentifier(userId) ? await readAccount(database.pool, userId, now()) : null
      if (!account) throw notFound()
      return account
    },
  }),
)
