// What the database stores and an export does not contain, an import does not audit and an erasure leaves, with the reasons
// (docs/decisions/cli.md#import-and-export, docs/operations/privacy.md).

const derived = 'derived from other rows or computed again'
const ofInstallation = 'belongs to one installation'
const ofDevice = 'a second factor or passkey, which must not leave the service in a file'
const expiring = 'ends by itself'
const directory = 'the directory sends it again'

/** Tables none of whose rows are exported. */
export const tablesNotExported: Readonly<Record<string, string>> = {
  _prisma_migrations: ofInstallation,
  attempt_counts: expiring,
  audit_entries: 'entries are never altered, so none can be imported; `audit export` writes them',
  authorization_failures: expiring,
  directory_errors: 'what the directory was answered at one installation; the next error replaces it',
  directory_removals: directory,
  failed_sign_ins: expiring,
  erasures: 'a deleted account, of which nothing may be written to a file',
  idempotency_keys: expiring,
  invitations: 'expires, and its link is derived from SECRET_KEY',
  mail_links: expiring,
  oauth_grants: 'consent was given to this installation',
  oidc_models: expiring,
  passkeys: ofDevice,
  periodic_work: ofInstallation,
  recovery_codes: ofDevice,
  request_counts: expiring,
  scim_group_members: directory,
  scim_groups: directory,
  scim_users: directory,
  sessions: expiring,
  sign_in_requests: expiring,
  signing_keys: ofInstallation,
  team_counts: derived,
  team_event_streams: expiring,
  token_chains: 'part of a grant',
  token_responses: expiring,
  trusted_devices: expiring,
  webhook_deliveries: expiring,
  webhook_retries: 'an imported webhook starts anew',
  support_sessions: expiring,
  initial_access_tokens: 'expires soon, and is for one installation',
  workload_identities: 'trusts an issuer for one installation, whose URL is the audience of its ID tokens',
}

/** Tables whose rows are members of other records. */
export const tablesInOtherRecords: Readonly<Record<string, string>> = {
  invoice_lines: 'invoice.lines',
  oauth_client_secrets: 'client.client_secret_hashes',
  pictures: 'user.picture and team.logo',
}

const key = 'internal key: records have natural keys'
const change = 'time of the import'
const secret = 'encrypted under SECRET_KEY'
const delivery = 'an imported webhook is disabled and starts anew'
const requirement = 'before the provider is tested, it would keep all members out'

const withReason = (reason: string, ...columns: string[]) => Object.fromEntries(columns.map((column) => [column, reason]))

/** Columns of exported tables that no member contains. */
export const columnsNotExported: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  access_tokens: {
    id: key,
    created_at: change,
    revoked_at: 'revoked tokens are left out',
    previous_last_four: 'only the hash of the previous value is exported',
    rotation_key: expiring,
    ...withReason(ofInstallation, 'created_by_id', 'last_used_at', 'expiry_notified_at', 'expiry_events'),
  },
  external_identities: { id: key },
  identity_providers: {
    client_secret: secret,
    updated_at: change,
    tested_at: 'another installation has other redirect URIs',
    failed_at: ofInstallation,
    failure: ofInstallation,
  },
  invoices: { id: key, recorded_at: change, ...withReason('emails are not sent again', 'announces_issue', 'overdue_notified_at') },
  members: { person: derived, managed: directory },
  oauth_clients: { id: key, created_at: change, updated_at: change, last_used_at: ofInstallation },
  team_domains: { id: key, ...withReason('the next periodic check looks the record up', 'checked_at', 'missing_since') },
  teams: {
    id: key,
    updated_at: change,
    erased_at: 'the cleanup erases a deleted team again',
    logo_id: derived,
    ...withReason(requirement, 'sign_in_provider_id', 'sign_in_required_at', 'sign_in_requirement_set_at'),
  },
  users: {
    id: key,
    ...withReason(ofDevice, 'totp_secret', 'totp_last_step'),
    ...withReason('only the command line makes a user staff', 'staff', 'staff_role'),
    ...withReason(ofInstallation, 'last_active_at', 'last_team_id'),
    ...withReason(change, 'created_at', 'updated_at'),
    picture_id: derived,
    created_by_team_id: directory,
  },
  webhooks: {
    ...withReason(secret, 'secret', 'previous_secret', 'previous_secret_expires_at'),
    updated_at: change,
    ...withReason(delivery, 'disabled_at', 'disabled_reason', 'failing_since', 'failed_events', 'warned_at', 'events_since'),
    ...withReason(delivery, 'position_transaction_id', 'position_at', 'position_id', 'position_part', 'worker', 'worked_until'),
  },
}

const noEvent = 'no type of events is about it'

/** Tables of records whose rows an import changes without an audit entry. */
export const tablesNotAudited: Readonly<Record<string, string>> = {
  access_tokens: 'a new token of a team has an entry; no event contains what can change of one',
  connected_apps: noEvent,
  external_identities: noEvent,
  group_roles: 'what it changes of members has events at their next sign-in',
  identity_providers: noEvent,
  oauth_clients: noEvent,
  team_domains: noEvent,
  users: noEvent,
  webhooks: 'it is the setting of a receiver of events',
}

/** Columns that an import changes without an audit entry. */
export const columnsNotAudited: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  invoices: withReason('no event contains it', 'application', 'invoice_date', 'paid_at', 'period_start', 'period_end'),
  members: { joined_at: 'the time of joining can change alone' },
  teams: {
    ...withReason('the past of a team at another installation, in which it was an event', 'created_at', 'deleted_at'),
    ...withReason('no event contains it', 'billing_name', 'billing_address', 'vat_id', 'invoice_recipients', 'agent_hosts'),
  },
}

/** Columns that still refer to a team after its erasure. */
export const referencesToErasedTeams: Readonly<Record<string, string>> = {
  'audit_entries.team_id': 'entries are kept for AUDIT_DAYS',
  'invoices.team_id': 'invoices remain',
  'team_counts.team_id': derived,
  'team_event_streams.team_id': expiring,
  'users.created_by_team_id': 'the account can belong to other teams',
  'users.last_team_id': 'the identifier of a team that no page opens',
  ...withReason(
    'a list of what belongs to a user, in which an erased team has no effect',
    'access_tokens.revoked_team_ids',
    'access_tokens.team_ids',
    'oauth_grants.revoked_team_ids',
    'passkeys.owner_access_team_ids',
    'sessions.ended_team_ids',
    'sessions.owner_access_team_ids',
  ),
}

/** Columns of a team that have a value after its erasure. */
export const columnsOfErasedTeams: Readonly<Record<string, string>> = {
  ...withReason('invoices refer to the team', 'id', 'name'),
  ...withReason('part of the invoices', 'billing_name', 'billing_address', 'vat_id'),
  ...withReason('empty', 'invoice_recipients', 'agent_hosts'),
  slug: 'no other team gets it',
  ...withReason('a time of the team, not of a person', 'created_at', 'updated_at', 'deleted_at', 'erased_at', 'two_factor_required_at'),
}

/** Columns that can still refer to a user after the deletion of the account. */
export const referencesToDeletedUsers: Readonly<Record<string, string>> = {
  ...withReason(
    'becomes null, because what the user created for a team remains',
    'access_tokens.created_by_id',
    'initial_access_tokens.created_by_id',
    'invitations.accepted_by_id',
    'invitations.invited_by_id',
    'support_sessions.opened_by_id',
    'workload_identities.created_by_id',
  ),
  'audit_entries.actor_user_id': 'the identifier remains; the cleanup replaces names and addresses',
  'directory_removals.user_id': 'the directory has removed the person, who must not join again',
  'erasures.user_id': 'whose audit entries the cleanup erases; deleted with the last of them',
  ...withReason(
    'the identifier in the directory; the row goes with the account, or with its user of the directory',
    'invitations.directory_user_id',
    'scim_group_members.user_id',
    'scim_users.user_id',
  ),
}
