import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import { isolateName } from '../../web/display-name.ts'
import { page } from '../framework/page.ts'
import { WebhookDocument } from '../generated/operations.ts'
import type { WebhookDisabledReason, WebhookPartsFragment } from '../generated/operations.ts'
import { Deliveries, deliveriesVariables } from './deliveries/deliveries.tsx'
import { eventName } from './event-names.ts'
import { Receivers, RotateSecret } from './webhook-secret.tsx'
import { webhookForms } from './webhook-forms.ts'
import { getWebhookName, Url, DeliveryHealth, WebhookStateBadge } from './webhook-state.tsx'
import { RemovalSection, getRemovalLabel, ReplaySection, WebhookSettingsSection, TestSection } from './webhook-sections.tsx'
import { webhooksPath } from './webhooks.tsx'

type Webhook = WebhookPartsFragment

/** A webhook: its state, its deliveries, and the forms to change it. */
export const webhook = page({
  path: `${webhooksPath}/:webhook`,
  title: ({ team: { webhook } }) => isolateName(getWebhookName(webhook)),
  parent: webhooksPath,
  scripts: [copyScript],
  document: WebhookDocument,
  variables(ctx) {
    const test = ctx.query.get('test') ?? ''
    return { team: ctx.param('team'), id: ctx.param('webhook'), ...deliveriesVariables(ctx), test, isTested: test !== '' }
  },
  forms: webhookForms,
  view: ({ team: { webhook } }, ctx) => (
    <>
      <StateSection webhook={webhook} />
      <Deliveries list={webhook.deliveries} ctx={ctx} />
      <TestSection webhook={webhook} />
      <WebhookSettingsSection webhook={webhook} />
      <RotateSecret previousSecretExpiresAt={webhook.previousSecretExpiresAt} now={ctx.site.now()} />
      <FoldedSection id="verify" title="Verify deliveries">
        <Receivers />
      </FoldedSection>
      <ReplaySection failingSince={webhook.failingSince} ctx={ctx} />
      <RemovalSection webhook={webhook} />
    </>
  ),
})

const StateSection = ({ webhook }: { webhook: Webhook }) => (
  <section>
    {getWebhookName(webhook) !== webhook.url.replace(/^https:\/\//, '') && (
      <p>
        <strong>
          <Url>{webhook.url}</Url>
        </strong>
      </p>
    )}
    <Facts>
      <Fact name="Status">
        <WebhookStateBadge {...webhook} />
      </Fact>
      <Fact name="Last 24 hours">
        <DeliveryHealth {...webhook} />
      </Fact>
      <Fact name="Events">{eventsText(webhook)}</Fact>
      <Fact name="Created">
        <RelativeTime at={webhook.createdAt} />
      </Fact>
    </Facts>
    {webhook.state === 'FAILING' && webhook.failingSince !== null && <Failing since={webhook.failingSince} />}
    {webhook.state === 'DISABLED' && <Disabled webhook={webhook} />}
    <nav class="links" aria-label="On this page">
      {sections.map(([id, label]) => (
        <a href={`#${id}`}>{label}</a>
      ))}
      <a href="#remove">{getRemovalLabel(webhook)}</a>
    </nav>
  </section>
)

const sections = [
  ['test', 'Send a test event'],
  ['settings', 'Settings'],
  ['rotate', 'Signing secret'],
  ['verify', 'Verify deliveries'],
  ['replay', 'Replay events'],
] as const

const maxNames = 3
const eventsText = ({ types }: Webhook) =>
  types.length === 0 ? 'All events' : types.length <= maxNames ? types.map(eventName).join(', ') : `${types.length} selected events`

const failingMilliseconds = 3 * 86_400_000

const Failing = ({ since }: { since: string }) => (
  <p class="caution">
    No delivery has succeeded since <DateTime at={since} />. Events that failed are delivered again, at increasing intervals. The webhook is
    disabled if nothing succeeds until <DateTime at={new Date(Date.parse(since) + failingMilliseconds)} /> and at least 10 events have
    failed. Check the responses below, correct your endpoint, and send a test event.
  </p>
)

const reasons: Record<WebhookDisabledReason, string> = {
  REQUEST: 'The webhook was disabled manually.',
  FAILING: 'No delivery had succeeded for three days. Correct your endpoint and send a test event before you enable the webhook again.',
  GONE: 'The endpoint responded with 410 Gone, which means that it no longer accepts events.',
}

const Disabled = ({ webhook: { disabledAt, disabledReason } }: { webhook: Webhook }) => (
  <>
    <p class={disabledReason === 'REQUEST' ? 'caution' : 'alert'}>
      No events have been delivered since <DateTime at={disabledAt} />. {disabledReason && reasons[disabledReason]}
    </p>
    <Form name="enable">
      <Choices
        name="continueFrom"
        legend="Enable again and continue"
        type="radio"
        options={[
          {
            value: 'STOPPED',
            label: 'With the first event that was not delivered',
            hint: 'All events since then are delivered.',
          },
          {
            value: 'PRESENT',
            label: 'From now on',
            hint: 'Events that happened in the meantime are not delivered, unless you replay them.',
          },
        ]}
        checked={['STOPPED']}
      />
      <Buttons>
        <Button>Enable webhook</Button>
      </Buttons>
    </Form>
  </>
)
