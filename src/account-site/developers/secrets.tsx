import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DateTime } from '../../web/components/time.tsx'
import type { ResultPage } from '../framework/form.ts'
import type { DeveloperAppQuery, RotateTeamClientSecretMutation } from '../generated/operations.ts'
import { secretPage } from './secret-page.tsx'

type Secrets = DeveloperAppQuery['team']['client']['secrets']

const overlaps = [
  { value: '0', label: 'Immediately', hint: 'Requests with the old secret are refused at once.' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 7 days' },
  { value: '2592000', label: 'In 30 days' },
]

/** Identifies the newest secret. */
export const newestSecret = (secrets: readonly { createdAt: string }[]): string => secrets[0]?.createdAt ?? ''

/** The secrets of an app, of which two work during a rotation, and the form that creates another one. */
export const SecretsSection = ({ secrets }: { secrets: Secrets }) => (
  <FoldedSection id="rotate" title="Client secret">
    <ul>
      {secrets.map(({ createdAt, expiresAt }, index) => (
        <li>
          {index === 0 ? 'Secret' : 'Old secret'} of <DateTime at={createdAt} />
          {expiresAt !== null && (
            <>
              , works until <DateTime at={expiresAt} />
            </>
          )}
        </li>
      ))}
    </ul>
    <p>
      Rotate the secret regularly, and whenever someone else may know it. The new secret is shown once. The old one works until it expires,
      so that you have time to update your server. {secrets.length > 1 && 'If you rotate again, the oldest one expires immediately.'}
    </p>
    <Form name="rotate" hidden={{ newest: newestSecret(secrets) }}>
      <Choices
        name="overlapSeconds"
        legend="Expire the old secret"
        noun="when the old secret expires"
        type="radio"
        options={overlaps}
        checked={['86400']}
      />
      <Buttons>
        <Button kind="second">Rotate secret</Button>
      </Buttons>
    </Form>
  </FoldedSection>
)

/** Shows the new secret once. */
export function rotatedPage({ client, clientSecret }: RotateTeamClientSecretMutation['rotateTeamClientSecret'], path: string): ResultPage {
  const old = client.secrets[1]
  return secretPage({
    ...client,
    secret: clientSecret,
    path,
    children: old && (
      <p>
        The old secret works until <DateTime at={old.expiresAt} />.
      </p>
    ),
  })
}
