import { isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../schema/index.ts'
import type { Requirement } from '../../schema/requires.ts'

// What each operation needs, as decisions §5 have it, in words of its own: the other tests ask the fields. That they are
// held to what they say: fields.test.ts, mutations.test.ts and, for the routes made of them, test/rest/refusals.test.ts.

/** Scopes; roles; ways of authenticating; the fields by their types. */
const needed: Record<string, Record<string, string>> = {
  nothing: {
    Query: 'team viewer',
    Team: 'slug',
    Viewer: 'clientId email expiresAt id kind name scopes team teamSlug teamSlugs user',
  },
  'teams or acct:team:read, a team token without': { Query: 'teams' },
  'teams or acct:team:read, a team token without, and who changed it': {
    Team: 'avatarUrl createdAt gravatarEmail name timezone updatedAt',
  },
  'acct:team:write, owner': { Mutation: 'updateTeam' },
  'acct:team:apps:read': { Team: 'app apps' },
  'acct:team:invoices:read, owner or billing': { Team: 'invoice invoiceTotals invoices' },
  'acct:team:members:read': { Team: 'member members' },
  'acct:team:members:write, owner': { Mutation: 'removeMember updateMember' },
  'acct:team:invitations:write, owner': {
    Mutation: 'inviteMember resendInvitation revokeInvitation',
    Team: 'invitation invitations',
  },
  'acct:team:tokens:read, owner': { Team: 'token tokens' },
  'flow:rules:read': { Query: 'ruleCapabilities' },
  // Who can touch a team is told to no client, and cut off by none.
  'acct:team:tokens:read, owner, by session or personal_token or team_token': { Team: 'auditEntries grant grants personalTokens' },
  'acct:team:members:write, owner, by session or personal_token or team_token': { Mutation: 'cutTeamFromGrant cutTeamFromToken' },
  // The person alone.
  'acct:team:tokens:read, by session or personal_token': { Viewer: 'grant grants' },
  'acct:team:members:write, by session or personal_token': { Mutation: 'narrowGrant revokeGrant' },
  'acct:team:invitations:write, by session or personal_token': { Mutation: 'acceptInvitation declineInvitation' },
  'by session': {
    Mutation: 'confirmEmailChange createTeam leaveTeam resendVerification revokeToken updateProfile verifyEmail',
    Viewer: 'passkeys secondFactor sessions token tokens',
  },
  'by session, lately': {
    Mutation:
      'changePassword confirmTotp createPersonalToken deleteAccount deletePasskey disableSecondFactor regenerateRecoveryCodes ' +
      'registerPasskey renamePasskey requestEmailChange requirePasskey revokeOtherSessions revokeSession rotateToken',
    Viewer: 'passkeyRegistration totpProposal',
  },
  'owner, by session, lately': { Mutation: 'createTeamToken' },
  'by account_site': { Mutation: 'signUp' },
  'by account_site or session': { Mutation: 'requestPasswordReset resetPassword', Query: 'invitation' },
  'by the operator': {
    Mutation:
      'createClient createUser deleteClient deleteUser disableClient disableUser enableClient enableUser resetSecondFactor ' +
      'rotateClientSecret rotateSigningKeys updateClient',
    Query: 'client clients signingKeys user users',
    User: 'tokens',
  },
}

function inWords(requires: Requirement | undefined): string {
  if (!requires) return 'nothing'
  const { scopes, roles, via, recentSignIn, teamTokenNeedsNoScope, impliedByMutation } = requires
  const parts = [
    scopes.join(' or '),
    roles?.join(' or '),
    via && `by ${via.join(' or ') || 'the operator'}`,
    recentSignIn && 'lately',
    teamTokenNeedsNoScope && 'a team token without',
    impliedByMutation && 'and who changed it',
  ]
  return parts.filter(Boolean).join(', ')
}

/** Those of these types are told where they need nothing, too; elsewhere that is what a parent, once reached, is made of. */
const doors = new Set(['Query', 'Mutation', 'Team', 'Viewer'])

test('each field and mutation needs what it should, and no more', () => {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  const told = types.flatMap((type) =>
    Object.values(type.getFields()).flatMap(({ name, extensions }) => {
      const requires = extensions.requires as Requirement | undefined
      return requires || doors.has(type.name) ? [`${type.name}.${name}: ${inWords(requires)}`] : []
    }),
  )
  const expected = Object.entries(needed).flatMap(([words, fields]) =>
    Object.entries(fields).flatMap(([type, names]) => names.split(' ').map((name) => `${type}.${name}: ${words}`)),
  )
  expect(told.toSorted()).toEqual(expected.toSorted())
})
