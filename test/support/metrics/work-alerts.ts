import type { RuleSituations } from './promtool.ts'

const mails = (result: string) => `team_account_mails_total{instance="a",result="${result}"}`
const providerFailures = (kind: string, instance: string) => `team_account_provider_failures_total{instance="${instance}",kind="${kind}"}`
const certificates = (state: string) => `team_account_saml_certificates{instance="a",state="${state}"}`
const domainChecks = (result: string) => `team_account_domain_checks_total{instance="a",result="${result}"}`
const webhooks = (state: string) => `team_account_webhooks{instance="a",state="${state}"}`
const jobAge = 'team_account_job_oldest_due_seconds{instance="a",queue="mail"}'

/** The situations of the alerts about emails, sign-in, domains, webhooks and keys. */
export const workAlerts: Readonly<Record<string, RuleSituations>> = {
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
  TeamAccountCertificatesEnded: {
    fires: {
      series: { [certificates('ended')]: '2x70', [certificates('ending')]: '0x70', [certificates('valid')]: '9x70' },
      minutes: 61,
      alerts: [{ severity: 'warning', summary: 'The newest certificate of 2 SAML providers has ended.' }],
    },
    quiet: [{ series: { [certificates('ended')]: '0x70', [certificates('ending')]: '4x70' }, minutes: 61 }],
  },
  TeamAccountCertificatesEnding: {
    fires: {
      series: { [certificates('ended')]: '0x70', [certificates('ending')]: '4x70' },
      minutes: 61,
      alerts: [{ severity: 'info', summary: 'The newest certificate of 4 SAML providers ends within 30 days.' }],
    },
    quiet: [
      { series: { [certificates('ended')]: '2x70', [certificates('ending')]: '0x70', [certificates('valid')]: '9x70' }, minutes: 61 },
    ],
  },
  TeamAccountDomainChecksUnanswered: {
    fires: {
      series: { [domainChecks('unanswered')]: '0 6x1440', [domainChecks('found')]: '0 3x1440', [domainChecks('missing')]: '0 1x1440' },
      minutes: 1440,
      alerts: [
        { severity: 'warning', summary: '6 domains could not be looked up in the last day, more than half of those that were due.' },
      ],
    },
    quiet: [
      { series: { [domainChecks('unanswered')]: '0 3x1440', [domainChecks('found')]: '0 3x1440' }, minutes: 1440 },
      { series: { [domainChecks('unanswered')]: '9x1440', [domainChecks('found')]: '9x1440' }, minutes: 1440 },
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
}
