interface Declaration {
  name: string
  /** Description of the metric, in Prometheus and in docs/operations/monitor.md. */
  help: string
  labels: readonly string[]
  /** Aggregation of the values of several workers. Counters and histograms are always added. */
  aggregator?: 'sum' | 'max' | 'min'
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Every metric of the service. Those of the process (`process_…`, `nodejs_…`) are prom-client's. */
export const histograms = {
  requests: {
    name: 'team_account_http_request_duration_seconds',
    help: 'Time from a request to the end of its response. The route is a template; operation is the type of a GraphQL operation.',
    labels: ['method', 'route', 'operation', 'status'],
    buckets: secondsBuckets,
  },
  statements: {
    name: 'team_account_database_statement_duration_seconds',
    help: 'Time from sending a statement to its result, including statements before it on the same connection.',
    labels: [],
    buckets: [0.001, ...secondsBuckets],
  },
  poolWaits: {
    name: 'team_account_database_pool_wait_duration_seconds',
    help: 'Time that transactions and statements waited for a connection of the pool. If one is free, nothing is counted.',
    labels: [],
    buckets: [0.001, ...secondsBuckets],
  },
} as const satisfies Record<string, Declaration & { buckets: readonly number[] }>

export const counters = {
  refusals: {
    name: 'team_account_refusals_total',
    help: 'Refused requests and GraphQL fields, by interface (rest, mcp, graphql, oauth) and error code.',
    labels: ['api', 'code'],
  },
  signIns: {
    name: 'team_account_sign_ins_total',
    help: 'Sign-in steps by method (password, email_code, second_factor, passkey, provider) and result (succeeded, failed, limited).',
    labels: ['method', 'result'],
  },
  providerFailures: {
    name: 'team_account_provider_failures_total',
    help: 'Sign-ins that failed because the identity provider cannot be used, by its kind (oidc and saml of teams, google, github, microsoft).',
    labels: ['kind'],
  },
  tokens: {
    name: 'team_account_tokens_issued_total',
    help: 'Responses of the token endpoint with tokens, by grant type.',
    labels: ['grant_type'],
  },
  mails: {
    name: 'team_account_mails_total',
    help: 'Attempts to deliver an email, by result: sent, dropped (out of date), retried later, failed (given up).',
    labels: ['result'],
  },
  webhookDeliveries: {
    name: 'team_account_webhook_deliveries_total',
    help: 'Attempts to deliver an event to a webhook, by result: delivered or failed. Without test events.',
    labels: ['result'],
  },
  domainChecks: {
    name: 'team_account_domain_checks_total',
    help: 'Look-ups of the records of verified domains, by result: found, missing, or unanswered by their name servers.',
    labels: ['result'],
  },
  workersEnded: {
    name: 'team_account_workers_ended_total',
    help: 'Workers that ended unexpectedly, for example because they were killed. The service starts others.',
    labels: [],
  },
  lostLogLines: {
    name: 'team_account_log_lines_lost_total',
    help: 'Log lines that could not be written: the disk is full, or their reader has ended or is too slow.',
    labels: [],
  },
} as const satisfies Record<string, Declaration>

export const gauges = {
  ready: {
    name: 'team_account_ready',
    help: '1 if the checks of /readyz pass, otherwise 0. The lowest value of all workers.',
    labels: [],
    aggregator: 'min',
  },
  unansweredWorkers: {
    name: 'team_account_workers_unanswered',
    help: 'Workers that did not report their metrics within a second: they start, stop or hang.',
    labels: [],
    aggregator: 'sum',
  },
  poolConnections: {
    name: 'team_account_database_pool_connections',
    help: 'Open connections of the pool, by state: active or idle.',
    labels: ['state'],
    aggregator: 'sum',
  },
  poolWaiting: {
    name: 'team_account_database_pool_waiting',
    help: 'Transactions and statements waiting for a connection of the pool.',
    labels: [],
    aggregator: 'sum',
  },
  poolSize: {
    name: 'team_account_database_pool_size',
    help: 'Maximum number of connections in the pools: DATABASE_POOL of each worker.',
    labels: [],
    aggregator: 'sum',
  },
  jobs: {
    name: 'team_account_jobs',
    help: 'Waiting jobs by state: created, or retry after a failed attempt. The same on all machines.',
    labels: ['queue', 'state'],
    aggregator: 'max',
  },
  jobAge: {
    name: 'team_account_job_oldest_due_seconds',
    help: 'Age of the oldest waiting job since it was created, also between attempts; 0 if there is none. The same on all machines.',
    labels: ['queue'],
    aggregator: 'max',
  },
  webhooks: {
    name: 'team_account_webhooks',
    help: 'Webhooks by state: enabled, failing or disabled. About the same on all machines.',
    labels: ['state'],
    aggregator: 'max',
  },
  webhookLag: {
    name: 'team_account_webhook_oldest_event_seconds',
    help: 'Age of the oldest event that was not attempted, of the webhooks that do not fail; 0 if there is none. While looking for events fails, for how long.',
    labels: [],
    aggregator: 'max',
  },
  waitingClients: {
    name: 'team_account_clients_waiting_for_review',
    help: 'Clients of teams that are waiting for review by an operator: submitted clients, and listed clients with proposed changes. The same on all machines.',
    labels: [],
    aggregator: 'max',
  },
  clockDifference: {
    name: 'team_account_clock_difference_seconds',
    help: 'Difference between the clock of the machine and that of the database. The highest value of all workers.',
    labels: [],
    aggregator: 'max',
  },
  samlCertificates: {
    name: 'team_account_saml_certificates',
    help: 'SAML providers of teams by the state of their newest certificate: valid, ending (within 30 days) or ended. Read every hour. The same on all machines.',
    labels: ['state'],
    aggregator: 'max',
  },
  keyAge: {
    name: 'team_account_signing_key_age_seconds',
    help: 'Age of the current signing key since it began to sign, by algorithm. The same on all machines.',
    labels: ['algorithm'],
    aggregator: 'max',
  },
} as const satisfies Record<string, Declaration>
