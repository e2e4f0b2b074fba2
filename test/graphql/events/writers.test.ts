import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import type { TeamAction } from '../../../schema/core/audit/actions.ts'
import { eventParts } from '../../../schema/events/catalogue.ts'

/**
 * Every file that writes members, invitations, tokens, grants, invoices or webhooks, or deletes what they belong to: the audited actions that tell it, or
 * why there is none. What each action becomes is in the catalogue.
 */
const writers: Readonly<Record<string, readonly TeamAction[] | string>> = {
  'schema/teams/mutations.ts': ['createTeam'],
  'schema/teams/restoration.ts': ['addMember', 'updateMember'],
  'schema/members/mutations.ts': ['updateMember', 'removeMember', 'leaveTeam'],
  'schema/members/groups/apply-groups.ts': ['applyGroups', 'removeByGroups'],
  'schema/members/groups/join-team.ts': ['joinThroughProvider', 'provisionMember'],
  'schema/members/groups/set-group-roles.ts': 'It ends the management, and changes no member otherwise.',
  'schema/scim/users/user-membership.ts': ['deprovisionMember', 'revokeInvitation'],
  'schema/members/ownership.ts': ['transferOwnership'],
  'schema/invitations/answer-mutations.ts': ['acceptInvitation', 'declineInvitation'],
  'schema/invitations/link.ts': ['inviteMember', 'resendInvitation'],
  'schema/invitations/invite.ts': ['inviteMember', 'inviteFromDirectory', 'expireInvitation'],
  'schema/invitations/mutations.ts': ['revokeInvitation'],
  'schema/tokens/create-token.ts': ['createTeamToken'],
  'schema/tokens/rotate-value.ts': ['rotateToken'],
  'schema/tokens/update-token.ts': ['updateToken'],
  'schema/tokens/mutations.ts': ['revokeToken'],
  'schema/tokens/expiry-notices.ts': 'It marks which emails were sent.',
  'schema/tokens/member-tokens/member-token-mutations.ts': ['revokeTokenTeamAccess'],
  'schema/accounts/deletion/deletion.ts': ['removeDeletedUser'],
  'schema/accounts/passwords/password-changed.ts': 'Personal tokens are no tokens of a team.',
  'schema/accounts/email/replace-unverified.ts': 'The person stays a member, with another account.',
  'schema/core/team-access/reach.ts': ['revokeTokenTeamAccess', 'revokeGrantTeamAccess'],
  'schema/core/team-access/revoke-grants.ts': ['revokeGrant'],
  'schema/oauth/clients/write-client.ts': ['revokeGrant'],
  'schema/oauth/grants/grant-mutations.ts': ['revokeGrant', 'revokeGrantTeamAccess'],
  'schema/oauth/grants/grant-scopes.ts': ['reduceGrantScopes'],
  'schema/webhooks/mutations.ts': 'It is the setting of a receiver of events.',
  'schema/webhooks/rotate-secret.ts': 'It is the setting of a receiver of events.',
  'schema/webhooks/write-webhook.ts': 'It is the setting of a receiver of events.',
  'schema/webhooks/failing.ts': ['disableWebhook'],
  'src/webhooks/check-webhooks.ts': 'It writes positions.',
  'src/webhooks/claim.ts': 'It writes who delivers.',
  'src/webhooks/delivery-recorder.ts': 'It writes what was delivered.',
  'src/backup/load-content.ts': 'It writes where receivers of events continue.',
  'schema/events/record-timed-events.ts': ['expireInvitation', 'announceTokenExpiry'],
  'schema/invoices/announcements.ts': ['announceOverdueInvoice'],
  'src/data-transfer/import/types/invoices.ts': ['issueInvoice', 'issuePaidInvoice', 'updateInvoice', 'payInvoice'],
  'src/data-transfer/import/types/picture-import.ts': ['updateTeam'],
  'src/data-transfer/import/types/webhook-import.ts': 'It is the setting of a receiver of events.',
  'src/data-transfer/import/upsert.ts': ['addMember', 'updateMember', 'createTeamToken'],
  'src/oidc/storage/grant.ts': ['createGrant', 'extendGrant'],
  'src/oidc/token/exchange.ts': 'The grant of a product that is in use lives on.',
  'src/auth/delayed-writes/last-used.ts': 'Use changes nothing.',
  'src/jobs/retention.ts': 'What it deletes ended days ago, which was told then.',
  'src/cli/checks/data/kept-names.ts': 'It writes the name of a user as it is.',
  'src/cli/stored-secrets.ts': 'It encrypts the same secrets under another key.',
}

const tables = 'members|invitations|access_tokens|oauth_grants|invoices|webhooks'
const writes = new RegExp(
  [
    `(INSERT INTO|UPDATE|DELETE FROM) "?(${tables})\\b`,
    'DELETE FROM (users|oauth_clients)\\b',
    `(insertRow|insertRows|updateRows|setLater|buildBatch|takeTeamFrom)\\(\\s*(transaction,\\s*)?'(${tables})'`,
    // oxlint-disable-next-line no-template-curly-in-string -- as it stands in the source
    '(INSERT INTO|UPDATE) \\$\\{table\\}',
  ].join('|'),
)

describe('what writes members, invitations, tokens, grants, invoices or webhooks', () => {
  test('has audited actions, or a reason for none', () => {
    const files = globSync('{schema,src}/**/*.{ts,tsx}', { cwd: projectFolder })
    const found = files.filter((file) => writes.test(readFileSync(path.join(projectFolder, file), 'utf8')))
    expect(found.toSorted()).toEqual(Object.keys(writers).toSorted())
  })

  test('has all actions that are events, but those of the team itself', () => {
    const told = new Set<string>(Object.values(writers).flatMap((actions) => (typeof actions === 'string' ? [] : actions)))
    const others = eventParts.filter(({ action, source }) => !told.has(action) && source !== 'team').map(({ action }) => action)
    expect(others).toEqual([])
  })
})
