import type { ComponentChildren } from 'preact'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'

/** The scripts that a page with a passkey form loads. */
export const passkeyScripts = ['webauthn.js', 'passkey.js'] as const

interface PasskeyFormProps {
  /** Name of the form. Its field `response` is the WebAuthn response of the browser. */
  name: string
  /** `create` for a form that creates a passkey, `get` for one that uses a passkey. */
  ceremony: 'create' | 'get'
  /** WebAuthn options, as JSON. */
  options: string
  button: string
  /** True if the form is the main action of the page, which is so by default for a form that creates a passkey. */
  isUsual?: boolean
  /** True if the browser also offers passkeys in the page’s field with `autocomplete="… webauthn"`. */
  offersAutofill?: boolean
  children?: ComponentChildren
}

/** A form that creates or uses a passkey. WebAuthn requires JavaScript, so the form is hidden until its script runs. */
export const PasskeyForm = ({
  name,
  ceremony,
  options,
  button,
  isUsual = ceremony === 'create',
  offersAutofill,
  children,
}: PasskeyFormProps) => (
  <Form name={name}>
    <div hidden data-passkey={ceremony} data-options={options} data-autofill={offersAutofill}>
      {children}
      <input type="hidden" name="response" />
      <p class="wrong" role="alert" data-status />
      <Buttons>
        <Button kind={isUsual ? undefined : 'second'}>{button}</Button>
      </Buttons>
    </div>
  </Form>
)
