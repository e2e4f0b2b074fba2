import { updateRows } from '../../prisma/statement/write-row.ts'
import type { Webhook } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change } from '../core/audit/audit.ts'
import { parse } from '../core/validation.ts'
import { secretField } from './mutations.ts'
import { auditedWebhook, findWebhook, lockWebhook, writeWebhookSecrets } from './own-webhook.ts'
import { secretOverlapRules, secretOverlaps } from './rules.ts'
import { createSecret } from './secret.ts'
import { WebhookType } from './webhook.ts'

const RotateWebhookSecretPayload = payloadType<{ webhook: Webhook; secret: string }>('RotateWebhookSecretPayload', {
  description: 'The webhook, and its new secret, which is shown only here.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }),
    secret: t.exposeString('secret', secretField),
  }),
})

builder.mutationField('rotateWebhookSecret', (t) =>
  t.field({
    description:
      'Gives a webhook a new secret. Deliveries are signed with the previous one, too, for the overlap, so that the receiver can change over.',
    type: RotateWebhookSecretPayload,
    requires: writeWebhookSecrets,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RotateWebhookSecretInput', {
          fields: (f) => ({
            id: f.id({ required: true, description: 'The identifier of the webhook.' }),
            overlapSeconds: f.int({
              description: `For how many seconds the previous secret signs, too: ${secretOverlaps.join(', ')}. Default: 86400.`,
            }),
          }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const { id } = await findWebhook(context, input.id, writeWebhookSecrets)
      const { overlapSeconds } = parse(secretOverlapRules, { overlapSeconds: input.overlapSeconds ?? 86_400 })
      return change(context, info, async (transaction) => {
        const current = await lockWebhook(transaction, id)
        const { text: secret, encrypted } = createSecret(context, id)
        const now = context.now()
        // An imported webhook has no secret yet.
        const hasSecret = current.secret.length > 0
        const previousSecret = hasSecret ? new Uint8Array(current.secret) : null
        const previousSecretExpiresAt = hasSecret ? new Date(now.getTime() + overlapSeconds * 1000) : null
        const data = { secret: encrypted, previousSecret, previousSecretExpiresAt, updatedAt: now }
        transaction.defer(updateRows(transaction, 'webhooks', { id }, data))
        const after = { previousSecretExpiresAt: previousSecretExpiresAt?.toISOString() ?? null }
        return { result: { webhook: { ...current, ...data }, secret }, ...auditedWebhook(current), after }
      })
    },
  }),
)
