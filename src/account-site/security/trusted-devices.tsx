import { z } from 'zod'
import { ListCard } from '../../web/components/lists/list-card.tsx'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import { quoteName } from '../../web/display-name.ts'
import { securityPath } from '../../web/page-paths.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { RevokeTrustedDeviceDocument, TrustedDevicesDocument } from '../generated/operations.ts'
import type { TrustedDevicesQuery } from '../generated/operations.ts'
import { describeNetwork } from './network.ts'

export const devicesPath = `${securityPath}/devices`

/** The browsers in which the user needs no second factor. */
export const trustedDevices = page({
  path: devicesPath,
  title: 'Trusted devices',
  parent: securityPath,
  document: TrustedDevicesDocument,
  forms: {
    'revoke-trust': form({
      fields: z.object({ id: text }),
      document: RevokeTrustedDeviceDocument,
      variables: (input) => ({ input }),
      notice: ({ revokeTrustedDevice: { trustedDevice } }) => `The device ${quoteName(trustedDevice.device)} is no longer trusted.`,
    }),
  },
  view: ({ viewer: { trustedDevices } }) => (
    <>
      {trustedDevices.length > 0 && (
        <p>
          On these devices, you only need your password to sign in. Changing your password or two-factor authentication removes all of them.
        </p>
      )}
      <ListCard
        id="trusted-devices"
        total={trustedDevices.length}
        noun={['trusted device', 'trusted devices']}
        empty="With two-factor authentication, you can trust a device when you sign in: your password alone is then enough there for 30 days."
      >
        {trustedDevices.map((device) => (
          <Entry {...device} />
        ))}
      </ListCard>
    </>
  ),
})

type TrustedDevice = TrustedDevicesQuery['viewer']['trustedDevices'][number]

const Entry = ({ id, device, address, createdAt, lastUsedAt, expiresAt, isCurrent }: TrustedDevice) => (
  <li>
    <div>
      <strong>{device}</strong> {isCurrent && <span class="badge">This browser</span>}
      <p class="hint">
        <span>{describeNetwork(address)}</span>
        <br />
        Last sign-in <RelativeTime at={lastUsedAt} />, trusted since <Day at={createdAt} />, until <Day at={expiresAt} />
      </p>
    </div>
    <Form name="revoke-trust" hidden={{ id }}>
      <Button kind="second">
        Remove<span class="visually-hidden"> {device}</span>
      </Button>
    </Form>
  </li>
)
