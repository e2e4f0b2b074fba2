import type { Webhook } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { EventTypeEnum } from '../events/event.ts'
import { isEventType } from '../events/event-types.ts'

type State = 'enabled' | 'failing' | 'disabled'

export const WebhookStateType = enumType('WebhookState', 'Whether a webhook works.', {
  enabled: 'Events are delivered.',
  failing: 'Events are delivered again and again: the last attempts failed.',
  disabled: 'No events are delivered until it is enabled again.',
} satisfies Record<State, string>)

/** Returns whether a webhook works. Its instants are `Date` or text. */
export const getWebhookState = ({ disabledAt, failingSince }: Record<'disabledAt' | 'failingSince', Date | string | null>): State =>
  disabledAt ? 'disabled' : failingSince ? 'failing' : 'enabled'

export const WebhookDisabledReasonType = enumType('WebhookDisabledReason', 'Why a webhook is disabled.', {
  request: 'An owner, a token of the team or an operator disabled it.',
  failing: 'No delivery succeeded for three days.',
  gone: 'The endpoint responded with 410 Gone.',
} satisfies Record<NonNullable<Webhook['disabledReason']>, string>)

export const WebhookType = builder.prismaObject('Webhook', {
  fields: (t) => ({
    webhookId: t.exposeID('id'),
    url: t.exposeString('url'),
    description: t.exposeString('description'),
    types: t.field({
      type: [EventTypeEnum],
      description: 'The types of events that are delivered; empty for all.',
      resolve: ({ types }) => types.filter(isEventType),
    }),
    state: t.field({ type: WebhookStateType, description: 'Whether it works.', resolve: getWebhookState }),
    failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    disabledReason: t.expose('disabledReason', { type: WebhookDisabledReasonType, nullable: true }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})
