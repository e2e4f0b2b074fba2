import type { ComponentChildren } from 'preact'
import { secretOverlaps } from '../../../schema/webhooks/rules.ts'
import { Button } from '../../web/components/forms/button.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Name } from '../../web/components/address.tsx'
import { DateTime } from '../../web/components/time.tsx'
import type { ResultPage } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { RotateWebhookSecretMutation, WebhookPartsFragment } from '../generated/operations.ts'
import { OneTimeSecret, RotateForm } from '../one-time-secret.tsx'
import { shortUrl } from './webhook-state.tsx'
import { readSamples } from '../../../rest-facade/openapi/samples.ts'
import { Samples } from '../../web/components/samples.tsx'

/** The form that gives the webhook another secret. */
export const RotateSecret = ({
  previousSecretExpiresAt: endsAt,
  now,
}: Pick<WebhookPartsFragment, 'previousSecretExpiresAt'> & { now: Date }) => (
  <FieldGroup
    id="rotate"
    title="Signing secret"
    about="Rotate the secret regularly, and if someone else may know it. The new one is shown once. Until the old one expires, deliveries are signed with both, so that you can change your receiver in the meantime."
  >
    {endsAt !== null && new Date(endsAt) > now && (
      <p>
        Deliveries are also signed with an old secret until <DateTime at={endsAt} />. If you rotate again, the old secret expires
        immediately.
      </p>
    )}
    <RotateForm
      hidden={{ previous: endsAt ?? '' }}
      noun="secret"
      overlaps={secretOverlaps}
      hint="A receiver that has the old secret rejects deliveries until you change it to the new one."
      checked={86_400}
    >
      <Button kind="second">Rotate secret</Button>
    </RotateForm>
  </FieldGroup>
)

interface WebhookSecret {
  webhook: { url: string }
  secret: string
}

/** Shows the secret of a webhook once. `path` is the first page of the webhook. */
export const webhookSecretPage = ({ webhook, secret }: WebhookSecret, path: string, advice?: ComponentChildren): ResultPage => ({
  title: 'Copy the signing secret',
  content: (
    <>
      <OneTimeSecret
        intro={
          <>
            Deliveries to <Name>{shortUrl(webhook.url)}</Name> are signed with this secret. Copy it to your receiver now:
          </>
        }
        secret={secret}
        next={{ path: `${path}/test`, label: 'Continue to the webhook' }}
      >
        {advice}
      </OneTimeSecret>
      <section>
        <h2>Verify deliveries</h2>
        <Receivers />
      </section>
    </>
  ),
})

/** Shows the new secret once. */
export function rotatedWebhookPage(rotated: RotateWebhookSecretMutation['rotateWebhookSecret'], ctx: PageContext): ResultPage {
  const { previousSecretExpiresAt: endsAt } = rotated.webhook
  const advice = endsAt !== null && new Date(endsAt) > ctx.site.now() && (
    <p>
      Deliveries are also signed with the old secret until <DateTime at={endsAt} />.
    </p>
  )
  return webhookSecretPage(rotated, `/teams/${ctx.param('team')}/webhooks/${ctx.param('webhook')}`, advice)
}

/** Instructions to verify deliveries, with a program in each language. */
export const Receivers = () => (
  <>
    <p>
      Anyone can send requests to your URL. Accept only those that are signed with the secret of the webhook. Deliveries follow{' '}
      <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener">
        Standard Webhooks
      </a>
      : verify them with a library, such as <code>standardwebhooks</code> or <code>svix</code>, or by hand, as these programs do.
    </p>
    <Samples samples={readSamples().map(({ language, file, code }) => ({ id: file, title: language, code }))} />
  </>
)
