import { isolateName } from '../../web/display-name.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { WebhookPartsFragment } from '../generated/operations.ts'
import { getWebhookName, WebhookStateBadge } from './webhook-state.tsx'
import { webhooksPath } from './webhooks.tsx'

interface WebhookData {
  team: { webhook: WebhookPartsFragment }
}

export const webhookPath = `${webhooksPath}/:webhook`
export const webhookTestPath = `${webhookPath}/test`
export const webhookSettingsPath = `${webhookPath}/settings`

/** What the declarations of the pages of a webhook have in common. */
export const webhookPage = {
  title: ({ team: { webhook } }: WebhookData) => isolateName(getWebhookName(webhook)),
  badge: ({ team: { webhook } }: WebhookData) => <WebhookStateBadge {...webhook} />,
  parent: webhooksPath,
  tabs: [
    { path: webhookPath, label: 'Deliveries' },
    { path: webhookTestPath, label: 'Test' },
    { path: webhookSettingsPath, label: 'Settings' },
  ],
  variables: (ctx: PageContext) => ({ team: ctx.param('team'), id: ctx.param('webhook') }),
}
