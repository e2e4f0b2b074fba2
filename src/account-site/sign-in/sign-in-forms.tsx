import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Checkbox } from '../../web/components/forms/checkbox.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { forgottenPasswordAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import type { PageContext } from '../framework/page-context.ts'
import { Username } from '../security/username.tsx'
import { rememberedAddress } from './known-address.ts'

/** The type is not email, because browsers refuse non-ASCII addresses (RFC 6531) there. */
const AddressField = ({ email, hasFocus }: { email: string; hasFocus: boolean }) => (
  <Field
    name="email"
    label="Email address"
    noun="your email address"
    inputMode="email"
    autocomplete="username webauthn"
    value={email}
    hasFocus={hasFocus}
  />
)

interface AddressFormProps {
  email: string
  /** True if the form is the usual way to sign in, and not an alternative to the method that was used last. */
  isUsual: boolean
}

/** Requests only the address first, because it can belong to a team with an identity provider. */
export const AddressForm = ({ email, isUsual }: AddressFormProps) => (
  <Form name="address">
    <AddressField email={email} hasFocus />
    <Buttons>
      <Button kind={isUsual ? undefined : 'second'}>Continue</Button>
    </Buttons>
  </Form>
)

interface PasswordFormProps extends AddressFormProps {
  /** True if the user entered the address on the page before. The form then has no field for it. */
  isEntered: boolean
  ctx: PageContext
}

/** Requests the password, and the address unless the user has entered it. */
export const PasswordForm = ({ email, isEntered, isUsual, ctx }: PasswordFormProps) => (
  <Form name="sign-in" hidden={isEntered ? { email } : {}}>
    {isEntered ? <Username email={email} /> : <AddressField email={email} hasFocus={email === ''} />}
    <Field
      name="password"
      label="Password"
      noun="your password"
      type="password"
      // Browsers offer passkeys in the field of the address, or here if there is none.
      autocomplete={isEntered ? 'current-password webauthn' : 'current-password'}
      hasFocus={isUsual && email !== ''}
    />
    <p class="below">
      <a href={forgottenPasswordAt(readReturnAddress(ctx))}>Forgot password?</a>
    </p>
    <Checkbox name="remember" label="Remember me on this device" isTicked={rememberedAddress(ctx.cookies) !== ''} />
    <Buttons>
      <Button kind={isUsual ? undefined : 'second'}>Sign in</Button>
    </Buttons>
  </Form>
)
