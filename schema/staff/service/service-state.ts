import { builder } from '../../builder/builder.ts'
import { StaffType } from '../staff.ts'
import { maxCounted, maxListed, readEndingCertificates, readFailingWebhooks, readServiceCounts } from './read-service.ts'
import type { EndingCertificate, FailingWebhook, ServiceCounts } from './read-service.ts'

const FailingWebhookType = builder.objectRef<FailingWebhook>('StaffFailingWebhook').implement({
  description: 'An enabled webhook whose deliveries fail, for staff.',
  fields: (t) => ({
    webhookId: t.exposeID('id', { describedBy: 'Webhook.id' }),
    teamSlug: t.exposeString('teamSlug', { nullable: true, description: 'The slug of the team; null for a webhook of the operator.' }),
    host: t.string({ description: 'The host of its URL.', resolve: ({ url }) => URL.parse(url)?.host ?? '' }),
    failingSince: t.expose('failingSince', { type: 'DateTime', description: 'When the deliveries began to fail.' }),
  }),
})

const EndingCertificateType = builder.objectRef<EndingCertificate>('StaffEndingCertificate').implement({
  description: 'A SAML provider whose newest certificate ends within 30 days or has ended, for staff.',
  fields: (t) => ({
    providerId: t.exposeID('providerId', { describedBy: 'IdentityProvider.id' }),
    teamSlug: t.exposeString('teamSlug', { description: 'The slug of the team.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When the certificate ends.' }),
  }),
})

const upTo = `, at most ${maxCounted.toLocaleString('en')}`

const ServiceStateType = builder.objectRef<ServiceCounts>('StaffServiceState').implement({
  description: 'What waits, fails or ends in the whole service, for staff. The checks of the command line (`doctor`) find more.',
  fields: (t) => ({
    waitingMails: t.exposeInt('waitingMails', { description: `Emails that wait for their first or next attempt${upTo}.` }),
    oldestMailAt: t.expose('oldestMailAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the email that has waited longest was queued; null if none waits.',
    }),
    failedMails: t.exposeInt('failedMails', { description: `Emails of the last two weeks that failed permanently${upTo}.` }),
    clientsToReview: t.exposeInt('clientsToReview', { description: `Apps of teams that wait for a review${upTo}.` }),
    failingWebhooks: t.field({
      type: [FailingWebhookType],
      description: `The enabled webhooks whose deliveries fail, those that fail longest first; at most ${maxListed}.`,
      resolve: (_, __, { database }) => readFailingWebhooks(database.pool),
    }),
    endingCertificates: t.field({
      type: [EndingCertificateType],
      description: `The SAML providers whose newest certificate ends within 30 days or has ended, the earliest first; at most ${maxListed}.`,
      resolve: (_, __, { database, now }) => readEndingCertificates(database.pool, now()),
    }),
  }),
})

builder.objectField(StaffType, 'serviceState', (t) =>
  t.field({
    description: 'What waits, fails or ends in the whole service.',
    type: ServiceStateType,
    complexity: 100,
    resolve: (_, __, { database }) => readServiceCounts(database.pool),
  }),
)
