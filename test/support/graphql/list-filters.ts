import { rareActor } from '../data/list-rows.ts'

/**
 * The lists, with a value of each filter that few of the 3,000 rows match. The rest of the declaration is read from the schema, so a
 * new list, filter or order is tested or fails here (docs/decisions/pagination.md#indexes).
 */
export interface ListFilters {
  filters: Record<string, string>
  /** Further values of filters, each as `name: value`, also with an order. */
  further?: string[]
  /** The largest number of rows that PostgreSQL may read, also those that are joined. Default: 400. */
  maxRows?: number
  /** Why the list is not tested. */
  skipped?: string
  /** Also in `npm test`. */
  isQuick?: boolean
}

const memberFilters = {
  role: 'BILLING',
  appId: 'FLOW',
  search: '"lovelace"',
  joinedSince: '"2026-01-03T01:55:00Z"',
  joinedUntil: '"2026-01-01T00:05:00Z"',
}
const credentialFilters = {
  expiresBefore: '"2030-01-01T00:00:00Z"',
  expiresAfter: '"2039-01-01T00:00:00Z"',
  unusedSince: '"2026-01-01T00:00:00Z"',
  scope: '"acct:team:invoices:read"',
  search: '"lovelace"',
}
// In the order of creation, the tokens and grants that expire last are the last. If 79 match, PostgreSQL expects to find 50 of them sooner in
// that order than by their expiry.
const memberCredentialFilters = { ...credentialFilters, expiresAfter: '"2039-03-17T00:00:00Z"' }
const invoiceFilters = {
  appId: 'FLOW',
  status: 'OPEN',
  overdue: 'true',
  currency: '"chf"',
  since: '"2026-03-15"',
  until: '"2018-01-05"',
  dueSince: '"2035-01-01"',
  dueUntil: '"2001-01-01"',
  search: '"late"',
}
const auditFilters = {
  action: 'REMOVE_MEMBER',
  actorKind: 'OPERATOR',
  actor: '"lovelace"',
  authenticationMethod: 'COMMAND_LINE',
  subject: '"subject-7"',
  since: '"2026-01-03T01:55:00Z"',
  until: '"2026-01-01T00:05:00Z"',
  search: '"lovelace"',
}
const byLastUse = `unusedSince: ${credentialFilters.unusedSince}, orderBy: { field: LAST_USED, direction: DESC }`
const byActor = `actor: "${rareActor}"`
/** Lists of a user that have neither a filter nor another order. */
const ofUser = ['sessions', 'passkeys', 'trustedDevices', 'invitations', 'solelyOwnedTeams']

export const listFilters: Readonly<Record<string, Readonly<Record<string, ListFilters>>>> = {
  Team: {
    members: { filters: memberFilters, isQuick: true },
    membersWithoutTwoFactor: { filters: memberFilters },
    people: { filters: { search: '"lovelace"', role: 'BILLING', state: 'INVITED' }, isQuick: true },
    invoices: { filters: invoiceFilters, isQuick: true },
    auditEntries: { filters: auditFilters, further: [byActor], isQuick: true },
    apps: { filters: { status: 'SUSPENDED' } },
    invitations: { filters: { status: 'ACCEPTED', search: '"lovelace"' }, further: ['status: EXPIRED'] },
    tokens: {
      filters: { ...credentialFilters, live: 'false' },
      further: [byLastUse, 'live: true'],
    },
    personalTokens: {
      filters: { ...memberCredentialFilters, person: '"lovelace"' },
      further: [byLastUse],
    },
    access: {
      filters: { ...memberCredentialFilters, person: '"lovelace"', kind: 'APP' },
      // A page of each kind, and the number of members for each part.
      maxRows: 550,
      further: [byLastUse],
    },
    grants: {
      filters: { ...memberCredentialFilters, person: '"lovelace"', clientId: '"lovelace"' },
      further: [byLastUse],
    },
  },
  Viewer: {
    teams: { filters: { search: '"lovelace"' }, skipped: 'it has the statement of Query.teams' },
    tokens: { filters: { ...credentialFilters, live: 'false' }, skipped: 'it needs a session, and has the statement of Team.tokens' },
    grants: { filters: { ...credentialFilters, person: '"lovelace"', clientId: '"lovelace"' } },
    ...Object.fromEntries(ofUser.map((name) => [name, { filters: {}, skipped: 'a user has few' }])),
  },
  Person: { memberships: { filters: { role: 'BILLING' }, skipped: 'a user has few memberships' } },
  User: { tokens: { filters: { ...credentialFilters, live: 'false' }, skipped: 'it is for operators, with the statement of Team.tokens' } },
  Query: {
    deletedTeams: { filters: {}, skipped: 'a user has few' },
    teams: { filters: { search: '"lovelace"' } },
    auditEntries: {
      filters: { ...auditFilters, teams: '["listed"], subject: "subject-7"' },
      further: [byActor],
      isQuick: true,
    },
  },
  Staff: {
    users: { filters: { search: '"lovelace"', isStaff: 'true', isDisabled: 'true' } },
    teams: { filters: { search: '"lovelace"', isDeleted: 'true' } },
    clients: { filters: { search: '"lovelace"', isDisabled: 'true' }, skipped: 'operators register a few clients' },
    tokens: {
      filters: { ...credentialFilters, live: 'false', kind: 'TEAM', team: '"lovelace"', user: '"lovelace-1000@example.com"' },
      further: ['live: true'],
    },
    auditEntries: {
      filters: { ...auditFilters, team: '"lovelace"', user: '"lovelace-1000@example.com"' },
      further: [byActor],
    },
  },
}
