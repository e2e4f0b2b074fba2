import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { describedBy, FieldDescription } from '../../web/components/forms/field-description.tsx'
import { PlainLayout } from '../../web/layout.tsx'
import { HiddenFields } from '../../web/components/forms/form.tsx'
import { AppMark } from '../../web/components/app-mark.tsx'
import type { MarkedApp } from '../../web/components/app-mark.tsx'
import { Name } from '../../web/components/address.tsx'
import { applicationsPath } from '../../web/page-paths.ts'
import { isolateName } from '../../web/display-name.ts'

interface DeviceForm {
  action: string
  hidden: Record<string, string>
}

const codeHint = 'Enter the code that your device shows.'
const listMessages = (refusal: string | undefined) => (refusal === undefined ? [] : [refusal])

/** Prompts for the code that a device shows. */
export const DeviceCodePage = ({ action, hidden, userCode, refusal }: DeviceForm & { userCode: string; refusal?: string | undefined }) => (
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
        {...describedBy('code', codeHint, listMessages(refusal))}
      />
      <FieldDescription id="code" hint={codeHint} messages={listMessages(refusal)} />
      <Buttons>
        <Button>Continue</Button>
      </Buttons>
    </form>
  </PlainLayout>
)

/** Shows the client and the code, so that a user who got the code from an attacker can notice it (RFC 8628 §5.4). */
export const DeviceConfirmPage = ({ action, hidden, app, userCode }: DeviceForm & { app: MarkedApp; userCode: string }) => (
  <PlainLayout title={`Connect ${isolateName(app.name)}?`} mark={<AppMark app={app} />}>
    <p>Continue only if you have the device and it shows this code:</p>
    <p class="code">{userCode}</p>
    <form method="post" action={action}>
      <HiddenFields fields={hidden} />
      <Buttons>
        <Button>Continue</Button>
        <Button name="abort" value="yes" kind="second">
          Deny
        </Button>
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
    <p>{app ? <Name>{app.name}</Name> : 'The device'} was not connected. You can close this page.</p>
  </PlainLayout>
)
