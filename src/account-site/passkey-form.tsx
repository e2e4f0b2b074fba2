import type { ComponentChildren } from 'preact'
import { Button, Buttons, Form } from './form.tsx'

/** The scripts of a page that has such a form. */
export const passkeyScripts = ['webauthn.js', 'passkey.js'] as const

interface PasskeyFormProps {
  /** The form's name; it is sent with `response`, what the browser answered. */
  name: string
  /** Whether a passkey is to be made, or used. */
  ceremony: 'create' | 'get'
  /** For WebAuthn, as JSON. */
  options: string
  button: string
  children?: ComponentChildren
}

/** A form that a passkey is asked for. Nothing can be asked without JavaScript: it is shown by the script alone. */
export const PasskeyForm = ({ name, ceremony, options, button, children }: PasskeyFormProps) => (
  <Form name={name}>
    <div hidden data-passkey={ceremony} data-options={options}>
      {children}
      <input type="hidden" name="response" />
      <p class="wrong" role="alert" data-said />
      <Buttons>
        <Button kind={ceremony === 'get' ? 'second' : undefined}>{button}</Button>
      </Buttons>
    </div>
  </Form>
)
