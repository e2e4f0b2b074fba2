import { isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../../schema/index.ts'
import { findRequirement } from '../../../schema/core/requires.ts'
import type { Requirement } from '../../../schema/core/requires.ts'

// The requirements of each operation (docs/decisions/permissions.md#operations), stated independently of the fields.
// fields.slow.test.ts, mutations.test.ts and test/rest/refusals.slow.test.ts check that the fields enforce them.

/** Fields by type, keyed by a description of their requirement: scopes, roles, authentication methods, conditions. */
const expectedRequirements: Record<string, Record<string, string>> = {
  none: {
    Query: 'node nodes team viewer',
    Team: 'id slug',
    Viewer: 'can clientId email expiresAt id isStaff kind name scopes staffRole team teamSlug teamSlugs tokenId user userId',
  },
  'teams or acct:team:read, team tokens without a scope': { Query: 'teams teamsConnection', Viewer: 'teams teamsConnection' },
  'teams or acct:team:read, team tokens without a scope, in mutations acct:team:write, open to staff': {
    Team: 'avatarUrl createdAt gravatarEmail logoUrl name timezone twoFactorRequiredAt updatedAt',
  },
  'acct:team:write, owner': { Mutation: 'updateTeam' },
  'acct:team:read, owner': {
    Team:
      'directoryGroups directoryGroupsConnection directoryUrl domain domains groupRoles identityProvider identityProviders ' +
      'signInRequirement signInUrl',
  },
  'acct:team:read, owner, open to staff': { Team: 'supportSession' },
  'acct:team:apps:read': { Team: 'app apps appsConnection' },
  'acct:team:invoices:read, owner or billing': { Query: 'invoiceTotals', Team: 'invoice invoiceTotals invoices invoicesConnection' },
  'acct:team:members:read': {
    Query: 'memberTotals',
    Person: 'memberships membershipsConnection',
    Team: 'member memberTotals people peopleConnection viewerMembership',
  },
  'acct:team:members:read, open to staff': { Team: 'members membersConnection' },
  'by session, in a browser, of a team that it opens': { Mutation: 'openTeamAsOwner' },
  'acct:team:members:read, owner': {
    Team: 'directoryUsers directoryUsersConnection lastDirectoryError membersWithoutTwoFactor membersWithoutTwoFactorConnection',
  },
  'acct:team:members:write, owner': { Mutation: 'remindOfRequiredSignIn remindOfTwoFactor removeMember updateMember' },
  'acct:team:invitations:write, owner': {
    Mutation: 'inviteMember revokeInvitation',
    Query: 'invitationTotals',
    Team: 'invitation invitationTotals invitations invitationsConnection',
  },
  'acct:team:tokens:read, owner': {
    Query: 'tokenTotals',
    Team: 'client clients clientsConnection token tokenTotals tokens tokensConnection workloadIdentities workloadIdentity',
  },
  'flow:rules:read': { Query: 'ruleCapabilities' },
  'acct:team:access:read': { MemberToken: 'teams' },
  'acct:team:access:read, owner': {
    Team: 'access accessConnection agents grant grants grantsConnection personalTokens personalTokensConnection',
  },
  'acct:team:tokens:write, or of the token itself, staff: admin': { Mutation: 'revokeToken' },
  'acct:team:invitations:write, owner, staff: support': { Mutation: 'resendInvitation' },
  'acct:team:webhooks:write, owner, staff: admin': { Mutation: 'updateWebhook' },
  'acct:team:access:write, by session or personal_token, staff: admin': { Mutation: 'revokeGrant' },
  'acct:team:tokens:write, or of the token itself, recent sign-in': { Mutation: 'rotateToken' },
  'acct:team:access:write, owner': { Mutation: 'revokeGrantTeamAccess revokeTokenTeamAccess' },
  'acct:team:audit:read, owner': {
    Team: 'auditEntries auditEntriesConnection auditEntry',
    Query: 'auditEntries auditEntriesConnection',
    Subscription: 'teamEvents',
  },
  'acct:team:events:read': { Team: 'events' },
  'acct:team:webhooks:read, owner': { Team: 'webhook webhooks' },
  'acct:team:webhooks:write, owner': { Mutation: 'deleteWebhook redeliver replayEvents sendTestEvent' },
  // Only the user, not a team token and not an OAuth client.
  'acct:team:access:read, by session or personal_token': { Viewer: 'grant grants grantsConnection' },
  'acct:team:access:write, by session or personal_token': { Mutation: 'reduceGrantScopes' },
  'acct:team:invitations:write, by session or personal_token': {
    Mutation: 'acceptInvitation declineInvitation',
    Viewer: 'invitations invitationsConnection',
  },
  'by session': {
    Mutation:
      'cancelEmailChange confirmEmailChange createTeam leaveTeam resendVerification revokeTrustedDevice updateNotifications ' +
      'updateProfile updateToken verifyEmail',
    Query: 'deletedTeams deletedTeamsConnection',
    Viewer:
      'externalIdentities externalIdentitiesConnection linkableProviders notifications passkeys passkeysConnection pendingEmail secondFactor sessions sessionsConnection solelyOwnedTeams ' +
      'solelyOwnedTeamsConnection supportReadings supportSession token tokens tokensConnection trustedDevices trustedDevicesConnection failedSignIns',
  },
  'by session, recent sign-in': {
    Mutation:
      'changePassword confirmTotp createPersonalToken deleteAccount deletePasskey disableSecondFactor exportAccount moveTotp ' +
      'openAccountSupportSession regenerateRecoveryCodes registerPasskey renamePasskey requestEmailChange requirePasskey revokeOtherSessions revokeSession ' +
      'unlinkIdentity',
    Viewer: 'passkeyRegistration totpProposal',
  },
  'owner or billing, by session': { Mutation: 'updateBillingDetails', Team: 'billingDetails' },
  'owner, by session': {
    Mutation: 'deleteInitialAccessToken deleteWorkloadIdentity endSupportSession exportAuditLog revokeClientAccess',
    Team: 'lastIdentityProviderTest signInRequirementPreviews',
  },
  'owner, by session, recent sign-in': {
    Mutation:
      'addTeamDomain allowAgentHost createIdentityProvider createInitialAccessToken createTeamClient createTeamToken createWebhook createWorkloadIdentity ' +
      'deleteIdentityProvider deleteTeam deleteTeamClient endMemberSessions openSupportSession removeAgentHost removeTeamDomain rotateTeamClientSecret rotateWebhookSecret ' +
      'setAgentAssertions setGroupRoles setSignInRequirement setTwoFactorRequirement submitTeamClient transferOwnership updateIdentityProvider updateTeamClient ' +
      'updateWorkloadIdentity verifyTeamDomain',
  },
  'by session, recent sign-in, of a deleted team, staff: support': { Mutation: 'restoreTeam' },
  'by session, in a browser': {
    Mutation: 'confirmSignIn confirmSignInWithPasskey linkProviderSignIn proveAccount requestAccountProof',
    Viewer: 'confirmationProviders hasPassword missingSignIns passkeyConfirmation proofAddress proofProviders',
  },
  'by account_site, in a browser': { Mutation: 'completeSignUp resendSignUp signUp' },
  'by account_site or session, in a browser': {
    Mutation:
      'beginProviderSignIn completeSignIn completeSignInWithPasskey createProviderAccount finishProviderSignIn requestPasswordReset requestSignInCode resetPassword signIn signInWithCode signInWithPasskey',
    Query:
      'asksForAddress invitation offersEmailedCode openedInvitation openedLink passkeySignIn pendingProviderLink pendingSignIn publicProviders savedLink signInProviders',
  },
  'acct:staff:read, by session or personal_token, only for staff': { Query: 'staff', User: 'isStaff staffRole' },
  'by the operator, staff: support': { Mutation: 'approveClient endUserSessions rejectClient resendUserVerification retryMail' },
  'by the operator, staff: admin': {
    Mutation: 'disableClient disableIdentityProvider disableUser enableClient enableIdentityProvider enableUser resetSecondFactor',
  },
  'by the operator': {
    Mutation: 'createClient createUser deleteClient deleteUser exportUser rotateClientSecret rotateSigningKeys setStaff updateClient',
    Query: 'client clients signingKeys user users webhook webhooks workloadIdentity',
    User: 'tokens tokensConnection',
  },
}

function describeRequirement(requires: Requirement | undefined): string {
  if (!requires) return 'none'
  const {
    scopes,
    roles,
    authenticationMethod,
    isStaffOnly,
    recentSignIn,
    browser,
    isTeamDeleted,
    opensTeam,
    openToStaff,
    staffRole,
    teamTokenNeedsNoScope,
    openToItself,
    scopesInMutation,
  } = requires
  const parts = [
    scopes.join(' or '),
    roles?.join(' or '),
    authenticationMethod && `by ${authenticationMethod.join(' or ') || 'the operator'}`,
    openToItself && 'or of the token itself',
    isStaffOnly && 'only for staff',
    recentSignIn && 'recent sign-in',
    browser && 'in a browser',
    isTeamDeleted && 'of a deleted team',
    opensTeam && 'of a team that it opens',
    teamTokenNeedsNoScope && 'team tokens without a scope',
    scopesInMutation && `in mutations ${scopesInMutation.join(' or ')}`,
    openToStaff && 'open to staff',
    staffRole && `staff: ${staffRole}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** Types whose fields are listed even without a requirement. The fields of other types belong to a parent that was checked. */
const fullyListedTypes = new Set(['Query', 'Mutation', 'Team', 'Viewer'])

test('every field and mutation declares exactly the documented requirement', () => {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  const actual = types.flatMap((type) =>
    Object.values(type.getFields()).flatMap(({ name, extensions }) => {
      const requires = findRequirement(extensions)
      return requires || fullyListedTypes.has(type.name) ? [`${type.name}.${name}: ${describeRequirement(requires)}`] : []
    }),
  )
  const expected = Object.entries(expectedRequirements).flatMap(([requirement, fields]) =>
    Object.entries(fields).flatMap(([type, names]) => names.split(' ').map((name) => `${type}.${name}: ${requirement}`)),
  )
  expect(actual.toSorted()).toEqual(expected.toSorted())
})
