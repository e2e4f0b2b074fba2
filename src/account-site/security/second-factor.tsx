import { Button, Form } from '../form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'

/** Whether a code is asked for, and what there is to change about it. */
export const SecondFactor = ({ isOn, recoveryCodesLeft }: SecurityQuery['viewer']['secondFactor']) => (
  <section>
    <h2>Second factor</h2>
    {isOn ? (
      <>
        <p>
          It is <strong>on</strong>: your password alone does not sign in. You have {recoveryCodesLeft} unused recovery{' '}
          {recoveryCodesLeft === 1 ? 'code' : 'codes'}.
        </p>
        <div class="buttons">
          <Form name="new-codes">
            <Button kind="second">Get new recovery codes</Button>
          </Form>
          <Form name="turn-off">
            <Button kind="danger">Turn off</Button>
          </Form>
        </div>
      </>
    ) : (
      <>
        <p>
          It is <strong>off</strong>: whoever learns your password can sign in with it. An authenticator application on your phone shows a
          code that is asked for besides.
        </p>
        <p>
          <a href="/security/authenticator">Set up an authenticator application</a>
        </p>
      </>
    )}
  </section>
)
