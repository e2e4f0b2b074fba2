import { truncate } from '../../web/display-name.ts'
import { DateTime } from '../../web/components/time.tsx'
import type { WebhookDisabledReason, WebhookPartsFragment } from '../generated/operations.ts'

const maxCharacters = 60

/** Returns a URL without the common prefix, short enough for a title. */
export const shortUrl = (url: string): string => truncate(url.replace(/^https:\/\//, ''), maxCharacters)

/** Returns the name of a webhook: its description if it has one, otherwise its URL. */
export const getWebhookName = ({ url, description }: { url: string; description: string }): string => description || shortUrl(url)

/** A URL that breaks after punctuation if it is too long for a line. */
export const Url = ({ children }: { children: string }) => (
  <bdi>
    {children.split(/(?<=[/?&=.-])(?=[^/?&=.-])/).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </bdi>
)

type WebhookStateFields = Pick<WebhookPartsFragment, 'state' | 'disabledReason'>

const reasons: Record<WebhookDisabledReason, string> = {
  REQUEST: 'manually',
  FAILING: 'after three days of failures',
  GONE: 'the endpoint responded with 410 Gone',
}

/** The state of a webhook. */
export const WebhookStateBadge = ({ state, disabledReason }: WebhookStateFields) => {
  if (state === 'ENABLED') return <span class="badge good">Enabled</span>
  if (state === 'FAILING') return <span class="badge caution">Failing</span>
  return <span class={disabledReason === 'REQUEST' ? 'badge' : 'badge alert'}>Disabled</span>
}

/** The state of a webhook, with the time since when it fails, or the reason why it is disabled. */
export const ExplainedState = (webhook: WebhookStateFields & Pick<WebhookPartsFragment, 'failingSince'>) => (
  <>
    <WebhookStateBadge {...webhook} />
    {webhook.state === 'FAILING' && (
      <span class="about why">
        {' '}
        since <DateTime at={webhook.failingSince} />
      </span>
    )}
    {webhook.disabledReason && <span class="about why"> {reasons[webhook.disabledReason]}</span>}
  </>
)

/** The number of attempts in the last 24 hours, by result. */
export const DeliveryHealth = ({ lastDay: { delivered, failed, tests } }: Pick<WebhookPartsFragment, 'lastDay'>) => (
  <span class="health">
    {[
      ...(delivered + failed === 0 ? ['No deliveries'] : []),
      ...(delivered > 0 ? [`${delivered.toLocaleString('en')} delivered`] : []),
      ...(failed > 0 ? [`${failed.toLocaleString('en')} failed`] : []),
      ...(tests > 0 ? [tests === 1 ? '1 test' : `${tests.toLocaleString('en')} tests`] : []),
    ].join(', ')}
  </span>
)
