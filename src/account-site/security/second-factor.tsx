import { Button, Buttons } from '../../web/components/button.tsx'
import { Form } from '../../web/components/form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'

type State = SecurityQuery['viewer']['secondFactor']

/** The state of the second factor, with the forms to turn it on or off. */
export const SecondFactor = ({ hasPasskey, ...state }: State & { hasPasskey: boolean }) => (
  <section>
    <h2>Second factor</h2>
    {state.isOn ? <On {...state} /> : <Off hasPasskey={hasPasskey} />}
  </section>
)

const On = ({ methods, recoveryCodesLeft }: State) => (
  <>
    <p>
      It is <strong>on</strong>: your password alone does not sign in. You have {recoveryCodesLeft} unused recovery{' '}
      {recoveryCodesLeft === 1 ? 'code' : 'codes'}.
    </p>
    <p>After the password you show {[...methods.map((method) => methodLabels[method]), 'one of your recovery codes'].join(', or ')}.</p>
    {!methods.includes('TOTP') && <SetUp />}
    <ConfirmDialog summary="Replace the recovery codes" form="new-codes" button="Yes, create new codes">
      The codes that you have now stop working.
    </ConfirmDialog>
    <ConfirmDialog summary="Turn off" form="turn-off" button="Yes, turn it off">
      Then whoever learns your password can sign in with it. Your recovery codes stop working, and an authenticator application would have
      to be set up anew.
    </ConfirmDialog>
  </>
)

const methodLabels = { TOTP: 'a code of your authenticator application', PASSKEY: 'a passkey' } as const

const Off = ({ hasPasskey }: { hasPasskey: boolean }) => (
  <>
    <p>
      It is <strong>off</strong>: whoever learns your password can sign in with it. An authenticator application on your phone shows a code
      that is asked for besides
      {hasPasskey ? '; or your passkeys are asked for.' : '. Once you have a passkey, it can be asked for instead.'}
    </p>
    {hasPasskey && (
      <Form name="require-passkey">
        <Buttons>
          <Button kind="second">Ask for a passkey or a code after the password</Button>
        </Buttons>
      </Form>
    )}
    <SetUp />
  </>
)

const SetUp = () => (
  <p>
    <a href="/security/authenticator">Set up an authenticator application</a>
  </p>
)
