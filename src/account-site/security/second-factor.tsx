import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'
import { EndOtherSessions } from './end-other-sessions.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'

type State = SecurityQuery['viewer']['secondFactor']

/** The state of two-factor authentication, with the forms to turn it on or off. */
export const SecondFactor = ({ hasPasskey, ...state }: State & { hasPasskey: boolean }) => (
  <section>
    <h2>Two-factor authentication</h2>
    {state.isOn ? <On {...state} /> : <Off hasPasskey={hasPasskey} />}
  </section>
)

const On = ({ methods, recoveryCodesLeft }: State) => (
  <>
    <p>
      Two-factor authentication is <strong>on</strong>. You have {recoveryCodesLeft} unused recovery{' '}
      {recoveryCodesLeft === 1 ? 'code' : 'codes'}.
    </p>
    <p>After your password, you enter {[...methods.map((method) => methodLabels[method]), 'a recovery code'].join(' or ')}.</p>
    {!methods.includes('TOTP') && <SetUp />}
    <ConfirmDialog summary="Create new recovery codes" form="new-codes" button="Create new recovery codes">
      Your current recovery codes stop working. Save the new codes before you leave the next page.
    </ConfirmDialog>
    <ConfirmDialog
      summary="Turn off two-factor authentication"
      form="turn-off"
      button="Turn off two-factor authentication"
      fields={<EndOtherSessions of="turn-off" />}
    >
      Anyone who knows your password can then sign in. Your authenticator app is removed and your recovery codes stop working.
    </ConfirmDialog>
  </>
)

const methodLabels = { TOTP: 'a code from your authenticator app', PASSKEY: 'your passkey' } as const

const Off = ({ hasPasskey }: { hasPasskey: boolean }) => (
  <>
    <p>
      Two-factor authentication is <strong>off</strong>. Turn it on so that your password alone is not enough to sign in: use an
      authenticator app{hasPasskey ? ' or your passkeys' : ', or a passkey once you have added one'}.
    </p>
    {hasPasskey && (
      <Form name="require-passkey">
        <EndOtherSessions of="require-passkey" />
        <Buttons>
          <Button kind="second">Use my passkeys as the second step</Button>
        </Buttons>
      </Form>
    )}
    <SetUp />
  </>
)

const SetUp = () => (
  <p>
    <a href="/security/authenticator">Set up an authenticator app</a>
  </p>
)
