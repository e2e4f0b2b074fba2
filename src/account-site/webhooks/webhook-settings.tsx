import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form, useRefusal } from '../../web/components/forms/form.tsx'
import { page } from '../framework/page.ts'
import { WebhookSettingsDocument } from '../generated/operations.ts'
import type { WebhookPartsFragment } from '../generated/operations.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { webhookSettingsForms } from './webhook-forms.ts'
import { webhookPage, webhookSettingsPath } from './webhook-page.tsx'
import { RotateSecret } from './webhook-secret.tsx'
import { getWebhookName } from './webhook-state.tsx'

type Webhook = WebhookPartsFragment

/** The settings of a webhook: its endpoint and events, its secret, and its deletion. */
export const webhookSettings = page({
  ...webhookPage,
  path: webhookSettingsPath,
  document: WebhookSettingsDocument,
  forms: webhookSettingsForms,
  view: ({ team: { webhook } }, ctx) => (
    <>
      <SettingsForm webhook={webhook} />
      <RotateSecret previousSecretExpiresAt={webhook.previousSecretExpiresAt} now={ctx.site.now()} />
      <RemovalSection webhook={webhook} />
    </>
  ),
})

const SettingsForm = ({ webhook }: { webhook: Webhook }) => (
  <Form name="update" id="settings">
    <WebhookFields {...webhook} isRefused={useRefusal('update') !== null} />
    <Buttons>
      <Button>Save</Button>
    </Buttons>
  </Form>
)

const getRemovalLabel = ({ state }: Pick<Webhook, 'state'>): string => (state === 'DISABLED' ? 'Delete' : 'Disable or delete')

const RemovalSection = ({ webhook }: { webhook: Webhook }) => (
  <FieldGroup
    id="remove"
    title={`${getRemovalLabel(webhook)} this webhook`}
    about={`${webhook.state === 'DISABLED' ? '' : 'A disabled webhook keeps its settings and its secret, and can be enabled again. '}Deleting it cannot be undone.`}
    isDangerous
  >
    {webhook.state !== 'DISABLED' && (
      <ConfirmDialog summary="Disable…" objectName={getWebhookName(webhook)} form="disable" button="Disable this webhook">
        No events are delivered until you enable it again. When you enable it, you can deliver the missed events or only new ones.
      </ConfirmDialog>
    )}
    <ConfirmDialog summary="Delete…" objectName={getWebhookName(webhook)} form="delete" button="Delete this webhook">
      No more events are delivered to this webhook. Its secret, its deliveries and the events that are waiting to be delivered again are
      also deleted. You cannot undo this.
    </ConfirmDialog>
  </FieldGroup>
)
