import { Button, Buttons, Form } from '../form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'
import { Sure } from '../sure.tsx'

type State = SecurityQuery['viewer']['secondFactor']

/** What is asked for besides the password, and what there is to change about it. */
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
    <p>After the password you show {[...methods.map((method) => words[method]), 'one of your recovery codes'].join(', or ')}.</p>
    {!methods.includes('TOTP') && <SetUp />}
    <Form name="new-codes">
      <Buttons>
        <Button kind="second">Get new recovery codes</Button>
      </Buttons>
    </Form>
    <Sure summary="Turn off" form="turn-off" button="Yes, turn it off">
      Then whoever learns your password can sign in with it. Your recovery codes stop working, and an authenticator application would have
      to be set up anew.
    </Sure>
  </>
)

const words = { TOTP: 'a code of your authenticator application', PASSKEY: 'a passkey' } as const

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
