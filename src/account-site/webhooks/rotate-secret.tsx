import { secretOverlaps } from '../../../schema/webhooks/rules.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime } from '../../web/components/time.tsx'
import type { ResultPage } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { RotateWebhookSecretMutation, WebhookPartsFragment } from '../generated/operations.ts'
import { secretPage } from './secret-page.tsx'

const overlapLabels: Record<(typeof secretOverlaps)[number], { label: string; hint?: string }> = {
  0: { label: 'Immediately', hint: 'A receiver with the old secret refuses deliveries until it has the new one.' },
  3600: { label: 'In 1 hour' },
  86_400: { label: 'In 1 day' },
  604_800: { label: 'In 7 days' },
}

const overlapChoice = (seconds: (typeof secretOverlaps)[number]) => ({ value: String(seconds), ...overlapLabels[seconds] })

/** The form that gives the webhook another secret. */
export const RotateSecret = ({
  previousSecretExpiresAt: endsAt,
  now,
}: Pick<WebhookPartsFragment, 'previousSecretExpiresAt'> & { now: Date }) => (
  <FoldedSection id="rotate" title="Signing secret">
    <p>
      Rotate the secret regularly, and if someone else may know it. The new one is shown once. Until the old one expires, deliveries are
      signed with both, so that you can change your receiver in the meantime.
    </p>
    {endsAt !== null && new Date(endsAt) > now && (
      <p>
        An old secret signs until <DateTime at={endsAt} />. If you rotate again, it expires immediately.
      </p>
    )}
    <Form name="rotate" hidden={{ previous: endsAt ?? '' }}>
      <Choices
        name="overlapSeconds"
        legend="Expire the old secret"
        noun="when the old secret expires"
        type="radio"
        options={secretOverlaps.map(overlapChoice)}
        checked={['86400']}
      />
      <Buttons>
        <Button kind="second">Rotate secret</Button>
      </Buttons>
    </Form>
  </FoldedSection>
)

/** Shows the new secret once. */
export const rotatedPage = ({ webhook, secret }: RotateWebhookSecretMutation['rotateWebhookSecret'], ctx: PageContext): ResultPage => {
  const { previousSecretExpiresAt: endsAt } = webhook
  return secretPage({
    webhook,
    secret,
    path: ctx.path,
    children: endsAt !== null && new Date(endsAt) > ctx.site.now() && (
      <p>
        Deliveries are signed with the old secret, too, until <DateTime at={endsAt} />.
      </p>
    ),
  })
}
