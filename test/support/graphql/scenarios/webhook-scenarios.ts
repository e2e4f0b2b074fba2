import { expect } from 'vitest'
import { createWebhook } from '../../webhooks/webhook.ts'
import type { Scenario, ScenarioContext, Scenarios } from './scenario.ts'

// An unused port: a request to it fails at once.
const url = 'http://127.0.0.1:9/hook'

/** The scenario of a change of a webhook. */
async function ofWebhook({ service, team, principal }: ScenarioContext, rest: (id: string) => Partial<Scenario>): Promise<Scenario> {
  const { id, secret } = await createWebhook(service, team, url)
  return { principal, teamId: team.id, subject: id, subjectName: url, secret, variables: { id }, ...rest(id) }
}

/** Scenarios of the mutations that change webhooks. */
export const webhookScenarios: Scenarios = {
  createWebhook: {
    document: `mutation ($team: String!) { createWebhook(input: { team: $team, url: "${url}", types: [TEAM_UPDATED] }) { secret } }`,
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug },
      teamId: team.id,
      subjectName: url,
      after: { url, description: '', types: ['team.updated'] },
    }),
  },
  updateWebhook: {
    document: 'mutation ($id: ID!) { updateWebhook(input: { id: $id, description: "New", enabled: false }) { webhook { state } } }',
    prepare: (context) =>
      ofWebhook(context, () => ({ before: { description: '', enabled: true }, after: { description: 'New', enabled: false } })),
  },
  deleteWebhook: {
    document: 'mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { webhook { url } } }',
    prepare: (context) => ofWebhook(context, () => ({ before: { url, types: [] } })),
  },
  rotateWebhookSecret: {
    document: 'mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id, overlapSeconds: 0 }) { secret } }',
    prepare: (context) => ofWebhook(context, () => ({ after: { previousSecretExpiresAt: expect.any(String) } })),
  },
  sendTestEvent: {
    document: 'mutation ($id: ID!) { sendTestEvent(input: { id: $id, type: TEAM_UPDATED }) { delivery { error } } }',
    prepare: (context) => ofWebhook(context, () => ({ after: { type: 'team.updated', result: 'failed', status: null } })),
  },
  redeliver: {
    document: 'mutation ($id: ID!) { redeliver(input: { deliveryId: $id }) { webhook { url } } }',
    async prepare(context) {
      const scenario = await ofWebhook(context, () => ({}))
      const { database, clock } = context.service
      const delivery = {
        webhookId: scenario.subject ?? '',
        type: 'team.updated',
        entryId: '00000000-0000-4000-8000-000000000000',
        part: 0,
        attempt: 1,
        at: clock.now(),
        result: 'failed',
        latencyMilliseconds: 1,
      } as const
      const { id } = await database.prisma.webhookDelivery.create({ data: delivery })
      return { ...scenario, variables: { id }, after: { deliveryId: id } }
    },
  },
  replayEvents: {
    document:
      'mutation ($id: ID!, $since: DateTime!, $until: DateTime!) { replayEvents(input: { id: $id, since: $since, until: $until }) { events } }',
    prepare: (context) => {
      const range = { since: '2020-01-01T00:00:00.000Z', until: '2020-01-02T00:00:00.000Z' }
      return ofWebhook(context, (id) => ({ variables: { id, ...range }, after: { ...range, onlyFailed: false, events: 0 } }))
    },
  },
}
