import type { ComponentChildren } from 'preact'
import { Button } from '../../web/components/forms/button.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Name } from '../../web/components/address.tsx'
import { DateTime } from '../../web/components/time.tsx'
import type { ResultPage } from '../framework/form.ts'
import type { DeveloperAppSettingsQuery, RotateTeamClientSecretMutation } from '../generated/operations.ts'
import { OneTimeSecret, RotateForm } from '../one-time-secret.tsx'

type Secrets = DeveloperAppSettingsQuery['team']['client']['secrets']

const daySeconds = 86_400
/** Durations in seconds for which the old secret can stay valid. */
const overlaps = [0, 3600, daySeconds, 7 * daySeconds, 30 * daySeconds]

/** Returns a value that identifies the newest secret. */
export const newestSecret = (secrets: readonly { createdAt: string }[]): string => secrets[0]?.createdAt ?? ''

/** The secrets of an app, and the form that creates another one. During a rotation, two secrets work. */
export const SecretsSection = ({ secrets }: { secrets: Secrets }) => (
  <FieldGroup
    id="rotate"
    title="Client secret"
    about={`Rotate the secret regularly, and whenever someone else may know it. The new secret is shown once. The old one works until it expires, so that you have time to update your server.${secrets.length > 1 ? ' If you rotate again, the oldest one expires immediately.' : ''}`}
  >
    <ul class="entries">
      {secrets.map(({ createdAt, expiresAt }, index) => (
        <li>
          <span>
            {index === 0 ? 'Secret' : 'Old secret'} of <DateTime at={createdAt} />
            {expiresAt !== null && (
              <>
                , works until <DateTime at={expiresAt} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
    <RotateForm
      hidden={{ newest: newestSecret(secrets) }}
      noun="secret"
      overlaps={overlaps}
      hint="Requests with the old secret are refused immediately."
      checked={daySeconds}
    >
      <Button kind="second">Rotate secret</Button>
    </RotateForm>
  </FieldGroup>
)

interface ClientSecret {
  client: { clientId: string; name: string }
  clientSecret: string
}

/** Shows the secret of an app once, with a link to the page of the app at `path`. */
export const clientSecretPage = ({ client, clientSecret }: ClientSecret, path: string, advice?: ComponentChildren): ResultPage => ({
  title: 'Copy the client secret',
  content: (
    <OneTimeSecret
      intro={
        <>
          <Name>{client.name}</Name> authenticates with this secret. Copy it to the configuration of your server now:
        </>
      }
      secret={clientSecret}
      clientId={client.clientId}
      copyLabel="Copy secret"
      next={{ path, label: 'Continue to the app' }}
    >
      {advice}
    </OneTimeSecret>
  ),
})

/** Shows the new secret once. */
export function rotatedSecretPage(rotated: RotateTeamClientSecretMutation['rotateTeamClientSecret'], path: string): ResultPage {
  const old = rotated.client.secrets[1]
  const advice = old && (
    <p>
      The old secret works until <DateTime at={old.expiresAt} />.
    </p>
  )
  return clientSecretPage(rotated, path, advice)
}
