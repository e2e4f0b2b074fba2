import { maxWebhooks } from '../../../schema/webhooks/rules.ts'
import { apiReferencePath } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import { WebhooksDocument, CreateWebhookDocument } from '../generated/operations.ts'
import type { WebhookPartsFragment } from '../generated/operations.ts'
import { DataTable } from '../table/data-table.tsx'
import { defineTable } from '../table/declaration.ts'
import { eventName } from './event-names.ts'
import { getWebhookName, shortUrl, Url, ExplainedState, DeliveryHealth } from './webhook-state.tsx'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { idempotencyKeyField } from '../tokens/idempotency-key.ts'
import { webhookSecretPage } from './webhook-secret.tsx'
import { webhookFields, buildWebhookInput, WebhookFields } from './webhook-fields.tsx'

type Webhook = WebhookPartsFragment

export const webhooksPath = '/teams/:team/webhooks'

const table = defineTable({
  noun: ['webhook', 'webhooks'],
  getName: (webhook: Webhook) => getWebhookName(webhook),
  filters: {},
  columns: [
    {
      label: 'Webhook',
      phone: 'name',
      cell: ({ webhookId, url, description }, { path }) => (
        <span class="named">
          <a href={`${path}/${webhookId}`}>{description === '' ? <Url>{shortUrl(url)}</Url> : <bdi>{description}</bdi>}</a>{' '}
          {description !== '' && (
            <span class="about">
              <Url>{shortUrl(url)}</Url>
            </span>
          )}
        </span>
      ),
    },
    { label: 'Status', phone: 'state', cell: (webhook) => <ExplainedState {...webhook} /> },
    { label: 'Last 24 hours', phone: 'state', cell: (webhook) => <DeliveryHealth {...webhook} /> },
    { label: 'Events', phone: 'detail', cell: ({ types }) => <Types types={types} /> },
  ],
  sort: 'CREATED',
  empty: (
    <>
      Create a webhook to notify your server as soon as a member joins, a token is about to expire or an invoice is paid. Without a webhook,
      your server must query the API repeatedly.
    </>
  ),
})

/** The webhooks of a team, with their states. */
export const webhooks = page({
  path: webhooksPath,
  title: 'Webhooks',
  nav: { group: 'developers', icon: 'webhook', order: 30 },
  document: WebhooksDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  view: ({ team: { webhooks } }, ctx) => {
    const isFull = webhooks.length >= maxWebhooks
    return (
      <>
        <p>
          Webhooks send your team’s events to a URL that you choose, as signed HTTP requests.{' '}
          <a href={`${apiReferencePath}#description/webhooks`}>How to receive them</a>
        </p>
        <DataTable
          table={table}
          ctx={ctx}
          list={{ nodes: webhooks, total: webhooks.length, page: 1, lastPage: 1 }}
          actions={
            isFull ? (
              <span class="hint">A team can have {maxWebhooks}. Delete one to create another.</span>
            ) : (
              <a class="button" href={`${ctx.path}/new`}>
                New webhook
              </a>
            )
          }
        />
      </>
    )
  },
})

const Types = ({ types }: Pick<Webhook, 'types'>) =>
  types.length === 0 ? (
    <>All events</>
  ) : (
    <details class="fold">
      <summary>{types.length === 1 ? '1 event' : `${types.length} events`}</summary>
      <ul>
        {types.map((type) => (
          <li>{eventName(type)}</li>
        ))}
      </ul>
    </details>
  )

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
        input: { team: ctx.param('team'), ...buildWebhookInput(fields), idempotencyKey },
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
