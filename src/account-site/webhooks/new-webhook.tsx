import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { CreateWebhookDocument, WebhooksDocument } from '../generated/operations.ts'
import { idempotencyKeyField } from '../tokens/idempotency-key.ts'
import { webhookSecretPage } from './webhook-secret.tsx'
import { webhookFields, webhookInputOf, WebhookFields } from './webhook-fields.tsx'
import { webhooksPath } from './webhooks.tsx'

/** Creates a webhook and shows its secret once. The page queries the webhooks, so that only users who can see them get the form. */
export const newWebhook = page({
  path: `${webhooksPath}/new`,
  title: 'New webhook',
  parent: webhooksPath,
  recentSignIn: true,
  scripts: [copyScript],
  document: WebhooksDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: {
    create: form({
      fields: webhookFields.extend({ idempotencyKey: text }),
      document: CreateWebhookDocument,
      variables: ({ idempotencyKey, ...fields }, ctx) => ({
        input: { team: ctx.param('team'), ...webhookInputOf(fields), idempotencyKey },
      }),
      onSuccess: ({ createWebhook }, ctx) =>
        webhookSecretPage(createWebhook, `/teams/${ctx.param('team')}/webhooks/${createWebhook.webhook.webhookId}`),
    }),
  },
  view: (_, ctx) => (
    <Form name="create" hidden={idempotencyKeyField(ctx)}>
      <WebhookFields />
      <Buttons>
        <Button>Create webhook</Button>
      </Buttons>
    </Form>
  ),
})
