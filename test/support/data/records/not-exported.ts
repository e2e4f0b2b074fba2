// What the database stores and an export does not contain, with the reasons (docs/decisions/cli.md#import-and-export).

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
  identity_providers: { client_secret: secret, updated_at: change, tested_at: 'another installation has other redirect URIs' },
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
    staff: 'only the command line makes a user staff',
    last_active_at: ofInstallation,
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
