import type { EnumName, TeamAction } from '../../../schema/core/audit/actions.ts'
import { formatDate, formatDateTime } from '../../web/time-format.ts'
import type { AuditAction } from '../generated/operations.ts'
import { byProvider, describeAgentsChange, describeMemberChange, describeTeamChange, isTermChanged } from './changes.ts'
import type { Details, Part } from './changes.ts'

interface ActionRow {
  /** Name of the action in filters and titles. */
  label: string
  /** Sentence about the action without its subject, the actor. Text of users is in placeholders or parts only. */
  sentence: string | ((details: Details) => string | Part[])
}

const again = ({ after }: Details) => (after['renewed'] === true ? ' again' : '')

/** Returns a number with its noun, or null if the entry does not contain the number. */
const formatCount = (count: unknown, one: string, many: string) =>
  typeof count === 'number' ? `${count} ${count === 1 ? one : many}` : null

/** Labels and sentences for the actions in teams, in the order of the filter. */
export const actionRows: Readonly<Record<EnumName<TeamAction>, ActionRow>> = {
  CREATE_TEAM: { label: 'Team created', sentence: 'created the team' },
  UPDATE_TEAM: { label: 'Team details changed', sentence: describeTeamChange },
  DELETE_TEAM: { label: 'Team deleted', sentence: 'deleted the team' },
  RESTORE_TEAM: { label: 'Team restored', sentence: 'restored the team' },
  TRANSFER_OWNERSHIP: { label: 'Ownership transferred', sentence: 'transferred the ownership to {target}' },
  SET_TWO_FACTOR_REQUIREMENT: {
    label: 'Two-factor requirement changed',
    sentence: ({ after: { twoFactorRequiredAt: from }, times }) =>
      typeof from === 'string'
        ? `required two-factor authentication from ${formatDate(from, times)}`
        : 'stopped requiring two-factor authentication',
  },
  UPDATE_BILLING_DETAILS: { label: 'Billing details changed', sentence: 'changed the billing details' },
  REMIND_OF_TWO_FACTOR: { label: 'Two-factor reminder sent', sentence: 'reminded {target} to turn on two-factor authentication' },
  RETRY_MAIL: { label: 'Email sent again', sentence: 'sent the email to {target} again' },
  INVITE_MEMBER: { label: 'Invitation sent', sentence: (details) => `invited {target}${again(details)}{role}` },
  INVITE_FROM_DIRECTORY: {
    label: 'Invited by the directory',
    sentence: (details) => `invited {target}${again(details)}{role} for the directory`,
  },
  RESEND_INVITATION: { label: 'Invitation resent', sentence: 'sent the invitation of {target} again' },
  REVOKE_INVITATION: { label: 'Invitation revoked', sentence: 'revoked the invitation of {target}' },
  ACCEPT_INVITATION: { label: 'Invitation accepted', sentence: 'joined the team{role}' },
  DECLINE_INVITATION: { label: 'Invitation declined', sentence: 'declined the invitation to {target}' },
  EXPIRE_INVITATION: { label: 'Invitation expired', sentence: 'ended the invitation of {target}, which was not accepted in time' },
  ADD_MEMBER: { label: 'Member added', sentence: 'added {target}{role}' },
  JOIN_THROUGH_PROVIDER: {
    label: 'Member joined through an identity provider',
    sentence: ({ isByTarget }) =>
      isByTarget ? 'joined{role} through {provider}' : 'added {target}{role}, who signed in through {provider}',
  },
  PROVISION_MEMBER: { label: 'Member added by the directory', sentence: 'added {target}{role} for the directory' },
  APPLY_GROUPS: {
    label: 'Member changed by groups',
    sentence: (details) =>
      isTermChanged(details) ? describeMemberChange(details) : 'put {target} under the management of the identity provider',
  },
  MOVE_ADDRESS: {
    label: 'Email address moved',
    sentence: 'gave the email address {target} to a new account, because it belongs to another person',
  },
  REMOVE_BY_GROUPS: { label: 'Member removed by groups', sentence: 'removed {target}, who is in no group that has a role' },
  DEPROVISION_MEMBER: { label: 'Member removed by the directory', sentence: 'removed {target} from the team for the directory' },
  SET_GROUP_ROLES: { label: 'Group roles changed', sentence: 'changed the roles of groups' },
  CREATE_SCIM_GROUP: { label: 'Directory group created', sentence: 'created the directory group {target}' },
  UPDATE_SCIM_GROUP: { label: 'Directory group changed', sentence: 'changed the directory group {target}' },
  DELETE_SCIM_GROUP: { label: 'Directory group deleted', sentence: 'deleted the directory group {target}' },
  UPDATE_MEMBER: { label: 'Member changed', sentence: describeMemberChange },
  END_MEMBER_SESSIONS: { label: 'Sessions of a member ended', sentence: 'ended the sessions of {target} in the team' },
  REMOVE_MEMBER: { label: 'Member removed', sentence: 'removed {target} from the team' },
  REMOVE_DELETED_USER: { label: 'Deleted account removed', sentence: 'removed {target}, whose account was deleted' },
  LEAVE_TEAM: { label: 'Member left', sentence: 'left the team' },
  CREATE_TEAM_TOKEN: { label: 'Team token created', sentence: 'created the team token {target}' },
  ROTATE_TOKEN: { label: 'Token rotated', sentence: 'rotated the token {target}' },
  UPDATE_TOKEN: { label: 'Token renamed', sentence: 'renamed the token{oldName} to {target}' },
  REVOKE_TOKEN: { label: 'Token revoked', sentence: 'revoked the token {target}' },
  REVOKE_TOKEN_TEAM_ACCESS: {
    label: 'Personal token access revoked',
    sentence: 'revoked the access of the personal token {target}{owner}',
  },
  ANNOUNCE_TOKEN_EXPIRY: { label: 'Token expires soon', sentence: 'announced that the token {target} expires soon' },
  CREATE_GRANT: { label: 'App connected', sentence: (details) => `connected the app {target}${byProvider(details)}` },
  EXTEND_GRANT: {
    label: 'Connected app permissions extended',
    sentence: (details) => `gave the app {target} more permissions${byProvider(details)}`,
  },
  REDUCE_GRANT_SCOPES: { label: 'Connected app permissions reduced', sentence: 'reduced the permissions of the app {target}' },
  REVOKE_GRANT: { label: 'Connected app revoked', sentence: 'revoked the app {target}' },
  REVOKE_GRANT_TEAM_ACCESS: { label: 'Connected app access revoked', sentence: 'revoked the access of the app {target}{owner}' },
  ISSUE_INVOICE: { label: 'Invoice issued', sentence: 'issued the invoice {target}' },
  ISSUE_PAID_INVOICE: { label: 'Paid invoice issued', sentence: 'issued the invoice {target}, which is paid' },
  UPDATE_INVOICE: { label: 'Invoice changed', sentence: 'changed the invoice {target}' },
  PAY_INVOICE: { label: 'Invoice paid', sentence: 'recorded that the invoice {target} was paid' },
  ANNOUNCE_OVERDUE_INVOICE: { label: 'Invoice overdue', sentence: 'announced that the invoice {target} is overdue' },
  CREATE_WEBHOOK: { label: 'Webhook created', sentence: 'created the webhook {target}' },
  UPDATE_WEBHOOK: {
    label: 'Webhook changed',
    sentence: ({ after: { enabled } }) =>
      `${enabled === undefined ? 'changed' : enabled === true ? 'enabled' : 'disabled'} the webhook {target}`,
  },
  DELETE_WEBHOOK: { label: 'Webhook deleted', sentence: 'deleted the webhook {target}' },
  ROTATE_WEBHOOK_SECRET: { label: 'Webhook secret rotated', sentence: 'rotated the secret of the webhook {target}' },
  SEND_TEST_EVENT: { label: 'Test event sent', sentence: 'sent a test event to the webhook {target}' },
  REDELIVER: { label: 'Event delivered again', sentence: 'delivered an event again to the webhook {target}' },
  REPLAY_EVENTS: {
    label: 'Events replayed',
    sentence: ({ after: { events } }) => `replayed ${formatCount(events, 'event', 'events') ?? 'events'} to the webhook {target}`,
  },
  DISABLE_WEBHOOK: {
    label: 'Webhook disabled',
    sentence: ({ after: { reason } }) =>
      `disabled the webhook {target}, ${reason === 'gone' ? 'whose endpoint responded with 410 Gone' : 'to which no delivery succeeded for three days'}`,
  },
  CREATE_WORKLOAD_IDENTITY: { label: 'Workload identity created', sentence: 'created the workload identity {target}' },
  UPDATE_WORKLOAD_IDENTITY: { label: 'Workload identity changed', sentence: 'changed the workload identity {target}' },
  DELETE_WORKLOAD_IDENTITY: { label: 'Workload identity deleted', sentence: 'deleted the workload identity {target}' },
  ALLOW_AGENT_HOST: {
    label: 'Agent host allowed',
    sentence: ({ newText }) => ['allowed agents of ', { name: newText('host') ?? '' }],
  },
  REMOVE_AGENT_HOST: {
    label: 'Agent host removed',
    sentence: ({ oldText }) => ['no longer allows agents of ', { name: oldText('host') ?? '' }],
  },
  SET_SIGN_IN_REQUIREMENT: {
    label: 'Sign-in requirement changed',
    sentence: ({ after: { signInProvider: provider } }) =>
      typeof provider === 'string'
        ? ['required sign-in through ', { name: provider }]
        : 'stopped requiring sign-in through an identity provider',
  },
  REMIND_OF_REQUIRED_SIGN_IN: { label: 'Sign-in reminder sent', sentence: 'reminded {target} to sign in through the identity provider' },
  OPEN_TEAM_AS_OWNER: {
    label: 'Team opened with a passkey',
    sentence: 'opened the team with a passkey, without the sign-in that it requires',
  },
  ADD_TEAM_DOMAIN: { label: 'Domain added', sentence: 'added the domain {target}' },
  VERIFY_TEAM_DOMAIN: { label: 'Domain verified', sentence: 'verified the domain {target}' },
  REMOVE_TEAM_DOMAIN: { label: 'Domain removed', sentence: 'removed the domain {target}' },
  LOSE_TEAM_DOMAIN: {
    label: 'Domain no longer verified',
    sentence: 'ended the verification of the domain {target}, whose TXT record was missing for 14 days',
  },
  CREATE_IDENTITY_PROVIDER: { label: 'Identity provider created', sentence: 'created the identity provider {target}' },
  UPDATE_IDENTITY_PROVIDER: { label: 'Identity provider changed', sentence: 'changed the identity provider {target}' },
  DELETE_IDENTITY_PROVIDER: { label: 'Identity provider deleted', sentence: 'deleted the identity provider {target}' },
  DISABLE_IDENTITY_PROVIDER: { label: 'Identity provider disabled by the service', sentence: 'disabled the identity provider {target}' },
  SET_AGENT_ASSERTIONS: { label: 'Access of agents through an identity provider changed', sentence: describeAgentsChange },
  ENABLE_IDENTITY_PROVIDER: { label: 'Identity provider enabled by the service', sentence: 'enabled the identity provider {target}' },
  CREATE_TEAM_CLIENT: { label: 'App registered', sentence: 'registered the app {target}' },
  UPDATE_TEAM_CLIENT: { label: 'App changed', sentence: 'changed the app {target}' },
  SUBMIT_TEAM_CLIENT: { label: 'App submitted for review', sentence: 'submitted the app {target} for review' },
  ROTATE_TEAM_CLIENT_SECRET: { label: 'App secret rotated', sentence: 'rotated the secret of the app {target}' },
  REVOKE_CLIENT_ACCESS: { label: 'Team app access revoked', sentence: 'revoked the access of the team app {target}' },
  DELETE_TEAM_CLIENT: { label: 'App deleted', sentence: 'deleted the app {target}' },
  CREATE_INITIAL_ACCESS_TOKEN: { label: 'Initial access token created', sentence: 'created the initial access token {target}' },
  DELETE_INITIAL_ACCESS_TOKEN: { label: 'Initial access token deleted', sentence: 'deleted the initial access token {target}' },
  APPROVE_CLIENT: {
    label: 'App approved by the service',
    sentence: ({ after: { state } }) => (state === 'listed' ? 'published the app {target}' : 'approved the changes to the app {target}'),
  },
  REJECT_CLIENT: {
    label: 'App rejected by the service',
    sentence: ({ after: { state } }) => (state === 'rejected' ? 'rejected the app {target}' : 'rejected the changes to the app {target}'),
  },
  UPDATE_CLIENT: { label: 'App changed by the operator', sentence: 'changed the app {target}' },
  ROTATE_CLIENT_SECRET: { label: 'App secret rotated by the operator', sentence: 'rotated the secret of the app {target}' },
  DISABLE_CLIENT: { label: 'App disabled by the service', sentence: 'disabled the app {target}' },
  ENABLE_CLIENT: { label: 'App enabled by the service', sentence: 'enabled the app {target}' },
  DELETE_CLIENT: { label: 'App deleted by the operator', sentence: 'deleted the app {target}' },
  EXPORT_AUDIT_LOG: {
    label: 'Audit log exported',
    sentence({ after: { entries } }) {
      const count = formatCount(entries, 'entry', 'entries')
      return count === null ? 'exported the audit log' : `exported the audit log (${count})`
    },
  },
  OPEN_SUPPORT_SESSION: {
    label: 'Support access opened',
    sentence: ({ after: { expiresAt: until }, times }) =>
      typeof until === 'string'
        ? `opened the pages to staff of the service until ${formatDateTime(until, times)}`
        : 'opened the pages to staff',
  },
  // This and the next one are also about accounts, in the audit log of staff.
  END_SUPPORT_SESSION: { label: 'Support access ended', sentence: 'ended the access of staff of the service to the pages' },
  READ_IN_SUPPORT_SESSION: {
    label: 'Page read by staff of the service',
    sentence: ({ after: { path } }) => (typeof path === 'string' ? ['opened the page ', { name: path }] : 'opened a page'),
  },
  READ_AS_STAFF: { label: 'Read by staff of the service', sentence: 'read data of the team as staff of the service' },
}

export const isTeamAction = (action: string | null): action is EnumName<TeamAction> => action !== null && Object.hasOwn(actionRows, action)

/** Returns the label of an entry's action, or its name if it has no label. */
export const actionLabel = ({ action, actionName }: { action: AuditAction | null; actionName: string }): string =>
  isTeamAction(action) ? actionRows[action].label : actionName
