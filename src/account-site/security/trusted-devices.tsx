import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import type { SecurityQuery } from '../generated/operations.ts'

type TrustedDevice = SecurityQuery['viewer']['trustedDevices'][number]

/** The browsers in which the signed-in user needs no second factor. */
export const TrustedDevices = ({ devices }: { devices: readonly TrustedDevice[] }) => (
  <section>
    <h2>Trusted devices</h2>
    <p>
      On these devices, you only need your password to sign in. Changing your password or two-factor authentication removes all of them.
    </p>
    <ul class="entries" id="trusted-devices">
      {devices.map((device) => (
        <Entry {...device} />
      ))}
    </ul>
  </section>
)

const Entry = ({ id, device, address, createdAt, lastUsedAt, expiresAt, isCurrent }: TrustedDevice) => (
  <li>
    <div>
      <strong>{device}</strong> {isCurrent && <span class="badge">This browser</span>}
      <p class="hint">
        Last sign-in from <span>{address}</span> <RelativeTime at={lastUsedAt} />, trusted since <Day at={createdAt} />, until{' '}
        <Day at={expiresAt} />
      </p>
    </div>
    <Form name="revoke-trust" hidden={{ id }}>
      <Button kind="second">Revoke</Button>
    </Form>
  </li>
)
