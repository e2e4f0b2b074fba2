import type { AuditAction, AuthenticationMethod } from '../generated/operations.ts'

/** Labels of the audited actions in teams. The filter offers these. */
export const actionLabels = {
  CREATE_TEAM: 'Team created',
  UPDATE_TEAM: 'Team details changed',
  DELETE_TEAM: 'Team deleted',
  RESTORE_TEAM: 'Team restored',
  TRANSFER_OWNERSHIP: 'Ownership transferred',
  SET_TWO_FACTOR_REQUIREMENT: 'Two-factor requirement changed',
  REMIND_OF_TWO_FACTOR: 'Two-factor reminder sent',
  INVITE_MEMBER: 'Invitation sent',
  RESEND_INVITATION: 'Invitation resent',
  REVOKE_INVITATION: 'Invitation revoked',
  ACCEPT_INVITATION: 'Invitation accepted',
  DECLINE_INVITATION: 'Invitation declined',
  EXPIRE_INVITATION: 'Invitation expired',
  ADD_MEMBER: 'Member added',
  JOIN_THROUGH_PROVIDER: 'Member joined through an identity provider',
  PROVISION_MEMBER: 'Member added by the directory',
  APPLY_GROUPS: 'Member changed by groups',
  REMOVE_BY_GROUPS: 'Member removed by groups',
  SET_GROUP_ROLES: 'Group roles changed',
  UPDATE_MEMBER: 'Member changed',
  REMOVE_MEMBER: 'Member removed',
  REMOVE_DELETED_USER: 'Deleted account removed',
  LEAVE_TEAM: 'Member left',
  CREATE_TEAM_TOKEN: 'Team token created',
  ROTATE_TOKEN: 'Token rotated',
  UPDATE_TOKEN: 'Token renamed',
  REVOKE_TOKEN: 'Token revoked',
  REVOKE_TOKEN_TEAM_ACCESS: 'Personal token access revoked',
  ANNOUNCE_TOKEN_EXPIRY: 'Token expires soon',
  CREATE_GRANT: 'App connected',
  EXTEND_GRANT: 'Connected app permissions extended',
  REDUCE_GRANT_SCOPES: 'Connected app permissions reduced',
  REVOKE_GRANT: 'Connected app revoked',
  REVOKE_GRANT_TEAM_ACCESS: 'Connected app access revoked',
  ISSUE_INVOICE: 'Invoice issued',
  ISSUE_PAID_INVOICE: 'Paid invoice issued',
  UPDATE_INVOICE: 'Invoice changed',
  PAY_INVOICE: 'Invoice paid',
  ANNOUNCE_OVERDUE_INVOICE: 'Invoice overdue',
  CREATE_WEBHOOK: 'Webhook created',
  UPDATE_WEBHOOK: 'Webhook changed',
  DELETE_WEBHOOK: 'Webhook deleted',
  ROTATE_WEBHOOK_SECRET: 'Webhook secret rotated',
  SEND_TEST_EVENT: 'Test event sent',
  REDELIVER: 'Event delivered again',
  REPLAY_EVENTS: 'Events replayed',
  DISABLE_WEBHOOK: 'Webhook disabled',
  CREATE_WORKLOAD_IDENTITY: 'Workload identity created',
  UPDATE_WORKLOAD_IDENTITY: 'Workload identity changed',
  DELETE_WORKLOAD_IDENTITY: 'Workload identity deleted',
  CREATE_TEAM_CLIENT: 'App registered',
  UPDATE_TEAM_CLIENT: 'App changed',
  SUBMIT_TEAM_CLIENT: 'App submitted for review',
  ROTATE_TEAM_CLIENT_SECRET: 'App secret rotated',
  REVOKE_CLIENT_ACCESS: 'Team app access revoked',
  DELETE_TEAM_CLIENT: 'App deleted',
  APPROVE_CLIENT: 'App approved by the operator',
  REJECT_CLIENT: 'App rejected by the operator',
  UPDATE_CLIENT: 'App changed by the operator',
  ROTATE_CLIENT_SECRET: 'App secret rotated by the operator',
  DISABLE_CLIENT: 'App disabled by the operator',
  ENABLE_CLIENT: 'App enabled by the operator',
  DELETE_CLIENT: 'App deleted by the operator',
  EXPORT_AUDIT_LOG: 'Audit log exported',
  READ_AS_STAFF: 'Read by staff of the service',
} as const satisfies Readonly<Partial<Record<AuditAction, string>>>

/** An action that is done in teams. */
export type TeamAction = keyof typeof actionLabels

export const isTeamAction = (action: AuditAction | null): action is TeamAction => action !== null && Object.hasOwn(actionLabels, action)

/** The label of an entry's action, or its name if it has no label. */
export const actionLabel = ({ action, actionName }: { action: AuditAction | null; actionName: string }): string =>
  isTeamAction(action) ? actionLabels[action] : actionName

/** How the actor was authenticated. */
export const authenticationMethodLabels: Readonly<Record<AuthenticationMethod, string>> = {
  SESSION: 'on the website',
  PERSONAL_TOKEN: 'with a personal token',
  TEAM_TOKEN: 'with a team token',
  CLIENT: 'as a team app',
  WORKLOAD_IDENTITY: 'as a workload identity',
  OAUTH: 'with a connected app',
  COMMAND_LINE: 'as the service operator',
  ACCOUNT_SITE: 'account_site',
  SCHEDULE: 'by the service',
}
