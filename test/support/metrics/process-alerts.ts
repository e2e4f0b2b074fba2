import type { RuleSituations } from './promtool.ts'

const up = 'up{job="team-account-service",instance="a"}'
const requests = (status: string) => `team_account_http_request_duration_seconds_count{instance="a",status="${status}"}`
const buckets = (le: string, operation = 'query') =>
  `team_account_http_request_duration_seconds_bucket{instance="a",operation="${operation}",le="${le}"}`
const workersEnded = 'team_account_workers_ended_total{instance="a"}'
const linesLost = 'team_account_log_lines_lost_total{instance="a"}'
const clockOf = (instance: string) => `team_account_clock_difference_seconds{instance="${instance}"}`
const lag = 'nodejs_eventloop_lag_p99_seconds{job="team-account-service",instance="a"}'
const ofA = { instance: 'a' }

/** The situations of the alerts about processes, requests and the database. */
export const processAlerts: Readonly<Record<string, RuleSituations>> = {
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
  TeamAccountWorkersEnding: {
    fires: {
      series: { [workersEnded]: '0 0 1 2 3x15' },
      minutes: 15,
      alerts: [{ labels: ofA, severity: 'warning', summary: 'a: 3 workers ended unexpectedly in 15 minutes.' }],
    },
    quiet: [{ series: { [workersEnded]: '0 0 1 2x15' }, minutes: 15 }],
  },
  TeamAccountClockDiffers: {
    fires: {
      series: { [clockOf('a')]: '300x10', [clockOf('b')]: '0x10' },
      minutes: 6,
      alerts: [{ labels: ofA, severity: 'warning', summary: 'The clock of a differs from that of the database by 5m 0s.' }],
    },
    quiet: [
      { series: { [clockOf('a')]: '1.9x10' }, minutes: 6 },
      { series: { [clockOf('a')]: '0 0 300 0x10' }, minutes: 6 },
    ],
  },
  TeamAccountLogLinesLost: {
    fires: {
      series: { [linesLost]: '0 0 30x15' },
      minutes: 15,
      alerts: [{ labels: ofA, severity: 'warning', summary: 'a: 30 log lines were lost in 15 minutes.' }],
    },
    quiet: [{ series: { [linesLost]: '30x20' }, minutes: 15 }],
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
