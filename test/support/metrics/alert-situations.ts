import type { Situation } from './promtool.ts'

interface Situations {
  fires: Situation
  /** Situations that are close to the limit, in which the alert does not fire. */
  quiet: readonly Omit<Situation, 'alerts'>[]
}

const up = 'up{job="team-account-service",instance="a"}'
const requests = (status: string) => `team_account_http_request_duration_seconds_count{instance="a",status="${status}"}`
const buckets = (le: string, operation = 'query') =>
  `team_account_http_request_duration_seconds_bucket{instance="a",operation="${operation}",le="${le}"}`
const mails = (result: string) => `team_account_mails_total{instance="a",result="${result}"}`
const providerFailures = (kind: string, instance: string) => `team_account_provider_failures_total{instance="${instance}",kind="${kind}"}`
const webhooks = (state: string) => `team_account_webhooks{instance="a",state="${state}"}`
const jobAge = 'team_account_job_oldest_due_seconds{instance="a",queue="mail"}'
const lag = 'nodejs_eventloop_lag_p99_seconds{job="team-account-service",instance="a"}'
const ofA = { instance: 'a' }

/** For each alert, when it fires and when it does not. */
export const alertSituations: Readonly<Record<string, Situations>> = {
  TeamAccountDown: {
    fires: {
      series: { [up]: '1 0x5' },
      minutes: 4,
      alerts: [{ labels: { ...ofA, job: 'team-account-service' }, severity: 'critical', summary: 'a does not respond to Prometheus.' }],
    },
    quiet: [{ series: { [up]: '1 0 1 1 1 1' }, minutes: 4 }],
  },
  TeamAccountAbsent: {
    fires: {
      series: { 'up{job="other",instance="a"}': '1x5' },
      minutes: 4,
      alerts: [
        {
          labels: { job: 'team-account-service' },
          severity: 'critical',
          summary: 'Prometheus knows no process of the service: no target has the job name team-account-service.',
        },
      ],
    },
    quiet: [{ series: { [up]: '0x5' }, minutes: 4 }],
  },
  TeamAccountNotReady: {
    fires: {
      series: { 'team_account_ready{instance="a"}': '0x5', 'team_account_ready{instance="b"}': '1x5' },
      minutes: 3,
      alerts: [{ labels: ofA, severity: 'critical', summary: 'a cannot serve requests: a check of /readyz fails.' }],
    },
    quiet: [{ series: { 'team_account_ready{instance="a"}': '0 1x5' }, minutes: 3 }],
  },
  TeamAccountErrors: {
    fires: {
      series: { [requests('200')]: '0+96x20', [requests('503')]: '0+4x20' },
      minutes: 15,
      alerts: [{ severity: 'critical', summary: '4% of the requests fail.' }],
    },
    quiet: [{ series: { [requests('200')]: '0+995x20', [requests('404')]: '0+500x20', [requests('500')]: '0+5x20' }, minutes: 15 }],
  },
  TeamAccountSlow: {
    fires: {
      series: { [buckets('1')]: '0x20', [buckets('2.5')]: '0+60x20', [buckets('+Inf')]: '0+60x20' },
      minutes: 18,
      alerts: [{ severity: 'warning', summary: 'One request in a hundred takes longer than 2.485s.' }],
    },
    quiet: [
      { series: { [buckets('1')]: '0+60x20', [buckets('2.5')]: '0+60x20', [buckets('+Inf')]: '0+60x20' }, minutes: 18 },
      {
        series: { [buckets('1', 'subscription')]: '0x20', [buckets('+Inf', 'subscription')]: '0+60x20' },
        minutes: 18,
      },
    ],
  },
  TeamAccountPoolExhausted: {
    fires: {
      series: { 'team_account_database_pool_wait_duration_seconds_sum{instance="a"}': '0+120x20' },
      minutes: 12,
      alerts: [{ labels: ofA, severity: 'warning', summary: 'a: 2 statements wait for a database connection on average.' }],
    },
    quiet: [{ series: { 'team_account_database_pool_wait_duration_seconds_sum{instance="a"}': '0+50x20' }, minutes: 12 }],
  },
  TeamAccountWorkerHangs: {
    fires: {
      series: { 'team_account_workers_unanswered{instance="a"}': '1x5' },
      minutes: 3,
      alerts: [{ labels: ofA, severity: 'critical', summary: 'a: 1 workers do not report their metrics.' }],
    },
    quiet: [{ series: { 'team_account_workers_unanswered{instance="a"}': '1 1 0x3' }, minutes: 3 }],
  },
  TeamAccountJobsWaiting: {
    fires: {
      // Each fifth minute the email is being sent and does not wait.
      series: { [jobAge]: '0 60 120 180 240 0 360 420 480 540 0 660 720 780' },
      minutes: 13,
      alerts: [{ labels: { queue: 'mail' }, severity: 'warning', summary: 'A job of the queue mail has been waiting for 13m 0s.' }],
    },
    quiet: [
      { series: { [jobAge]: '0 60 120 180 240 0x10' }, minutes: 13 },
      // An email that was given up days ago is sent again by hand.
      { series: { [jobAge]: '0x5 259200 0x8' }, minutes: 9 },
    ],
  },
  TeamAccountMailsFailing: {
    fires: {
      series: { [mails('retried')]: '0+1x20', [mails('failed')]: '0x20', [mails('sent')]: '0x20' },
      minutes: 16,
      alerts: [{ severity: 'critical', summary: '15 attempts to deliver an email failed in 15 minutes, more than half of all.' }],
    },
    quiet: [
      // One recipient whose mailbox is full.
      { series: { [mails('retried')]: '0 3 4 5 5 6x15', [mails('failed')]: '0x20', [mails('sent')]: '0x20' }, minutes: 16 },
      { series: { [mails('retried')]: '0+1x20', [mails('failed')]: '0x20', [mails('sent')]: '0+2x20' }, minutes: 16 },
    ],
  },
  TeamAccountMailsGivenUp: {
    fires: {
      series: { [mails('failed')]: '0 0 1x60' },
      minutes: 60,
      alerts: [{ severity: 'warning', summary: '1 emails were given up in the last hour.' }],
    },
    quiet: [{ series: { [mails('failed')]: '3x60' }, minutes: 60 }],
  },
  TeamAccountProviderFailing: {
    fires: {
      series: {
        [providerFailures('oidc', 'a')]: '0x14 0+2x10',
        [providerFailures('oidc', 'b')]: '0+1x25',
        [providerFailures('saml', 'a')]: '0x25',
      },
      minutes: 20,
      alerts: [
        {
          labels: { kind: 'oidc' },
          severity: 'warning',
          summary: '25 sign-ins in 15 minutes failed because a provider of the kind oidc cannot be used.',
        },
      ],
    },
    quiet: [
      { series: { [providerFailures('oidc', 'a')]: '0 5x20' }, minutes: 15 },
      { series: { [providerFailures('google', 'a')]: '100x20' }, minutes: 15 },
    ],
  },
  TeamAccountWebhooksLate: {
    fires: {
      series: { team_account_webhook_oldest_event_seconds: '0+60x20' },
      minutes: 12,
      alerts: [{ severity: 'warning', summary: 'An event has been waiting for its first delivery to a webhook for 12m 0s.' }],
    },
    quiet: [{ series: { team_account_webhook_oldest_event_seconds: '0 60 120 180 240 300 360 0x20' }, minutes: 12 }],
  },
  TeamAccountWebhooksFailing: {
    fires: {
      series: { [webhooks('failing')]: '4x20', [webhooks('enabled')]: '6x20', [webhooks('disabled')]: '90x20' },
      minutes: 16,
      alerts: [{ severity: 'warning', summary: '4 webhooks fail, more than a quarter of all.' }],
    },
    quiet: [
      { series: { [webhooks('failing')]: '3x20', [webhooks('enabled')]: '1x20' }, minutes: 16 },
      { series: { [webhooks('failing')]: '4x20', [webhooks('enabled')]: '20x20' }, minutes: 16 },
    ],
  },
  TeamAccountSigningKeyOld: {
    fires: {
      series: { 'team_account_signing_key_age_seconds{algorithm="ES256",instance="a"}': `${91 * 86_400}x70` },
      minutes: 61,
      alerts: [{ labels: { algorithm: 'ES256' }, severity: 'info', summary: 'The ES256 key has been signing for 91d 0h 0m 0s.' }],
    },
    quiet: [{ series: { 'team_account_signing_key_age_seconds{algorithm="ES256",instance="a"}': `${89 * 86_400}x70` }, minutes: 61 }],
  },
  TeamAccountEventLoopBlocked: {
    fires: {
      series: { [lag]: '0.5x10' },
      minutes: 6,
      alerts: [{ labels: ofA, severity: 'warning', summary: 'Requests on a wait up to 500ms for the processor.' }],
    },
    quiet: [{ series: { [lag]: '0.5 0.5 0.5 0.1 0.5 0.5 0.5' }, minutes: 6 }],
  },
}
