import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { describedBy, FieldDescription } from '../../web/components/forms/field-description.tsx'
import { PlainLayout } from '../../web/layout.tsx'
import { HiddenFields } from '../../web/components/forms/form.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import type { MarkedApp } from '../../web/components/app-mark.tsx'
import { Name, StrongAddress } from '../../web/components/address.tsx'
import { applicationsPath } from '../../web/page-paths.ts'

interface DeviceCodePageProps {
  action: string
  hidden: Record<string, string>
  userCode: string
  /** True if the code comes from a link. The user may not have a device, but got the link from an attacker (RFC 8628 §5.4). */
  isFromLink: boolean
  refusal?: string | undefined
  /** Address of the user; undefined if the browser is not signed in. */
  email: string | undefined
}

const listMessages = (refusal: string | undefined) => (refusal === undefined ? [] : [refusal])
const getHint = (isFromLink: boolean) =>
  isFromLink
    ? 'Continue only if your device shows this code.'
    : 'Enter the code that your device shows. Never enter a code that someone else sent you.'

/** Prompts for the code that a device shows. */
export const DeviceCodePage = ({ action, hidden, userCode, isFromLink, refusal, email }: DeviceCodePageProps) => (
  <PlainLayout title="Connect a device" isRefused={refusal !== undefined}>
    <form method="post" action={action}>
      <HiddenFields fields={hidden} />
      <label for="code">Code</label>
      <input
        id="code"
        class="code"
        name="user_code"
        type="text"
        autocomplete="one-time-code"
        autocapitalize="characters"
        spellcheck={false}
        required
        value={userCode}
        autofocus
        placeholder="XXXX-XXXX"
        {...describedBy('code', getHint(isFromLink), listMessages(refusal))}
      />
      <FieldDescription id="code" hint={getHint(isFromLink)} messages={listMessages(refusal)} />
      {email !== undefined && (
        <p>
          Signed in as <StrongAddress>{email}</StrongAddress>
        </p>
      )}
      <Buttons>
        <Button>Continue</Button>
      </Buttons>
    </form>
  </PlainLayout>
)

export const DeviceConnectedPage = ({ app }: { app: MarkedApp | undefined }) => (
  <PlainLayout title="Device connected" mark={app && <AppMark app={app} />}>
    <p>{app ? <Name>{app.name}</Name> : 'The device'} is connected. You can close this page and continue on your device.</p>
    <p>
      <a href={applicationsPath}>Manage connected apps</a>
    </p>
  </PlainLayout>
)

export const DeviceDeniedPage = ({ app }: { app: MarkedApp | undefined }) => (
  <PlainLayout title="Access denied" mark={app && <AppMark app={app} />}>
    <p>
      {app ? <Name>{app.name}</Name> : 'The device'} was not connected. You can close this page. To connect it after all, start again on the
      device.
    </p>
  </PlainLayout>
)
