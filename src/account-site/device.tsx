import { Button, Buttons } from './form.tsx'
import { alertId, Hidden, Initials, Name, PlainFrame } from './page.tsx'

interface DeviceForm {
  action: string
  hidden: Record<string, string>
}

/** Asks for the code that a device shows. */
export const DeviceCodePage = ({ action, hidden, userCode, alert }: DeviceForm & { userCode: string; alert?: string | undefined }) => (
  <PlainFrame title="Connect a device" alert={alert}>
    <form method="post" action={action}>
      <Hidden fields={hidden} />
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
        aria-invalid={alert === undefined ? undefined : true}
        aria-describedby={alert === undefined ? 'code-hint' : `${alertId} code-hint`}
      />
      <p class="hint" id="code-hint">
        The code that your device shows.
      </p>
      <Buttons>
        <Button>Continue</Button>
      </Buttons>
    </form>
  </PlainFrame>
)

/** Shows whose code it is: whoever was sent a code by somebody else is to notice (RFC 8628 §5.4). */
export const DeviceConfirmPage = ({ action, hidden, clientName, userCode }: DeviceForm & { clientName: string; userCode: string }) => (
  <PlainFrame title="Is this your device?">
    <p class="who">
      <Initials name={clientName} />
      <span>
        <Name>{clientName}</Name> wants to be connected.
      </span>
    </p>
    <p>Go on only if the device is with you and shows this code:</p>
    <p class="code">{userCode}</p>
    <form method="post" action={action}>
      <Hidden fields={hidden} />
      <Buttons>
        <Button>Continue</Button>
        <Button name="abort" value="yes" kind="second">
          Deny
        </Button>
      </Buttons>
    </form>
  </PlainFrame>
)

export const DeviceConnectedPage = ({ clientName }: { clientName: string }) => (
  <PlainFrame title="Device connected">
    <p>
      <Name>{clientName}</Name> has access now. You can close this page and go on at the device.
    </p>
  </PlainFrame>
)

export const DeviceDeniedPage = () => (
  <PlainFrame title="Access denied">
    <p>The device was not connected. You can close this page.</p>
  </PlainFrame>
)
