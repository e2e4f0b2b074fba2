import { forgottenPasswordAt } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Checkbox } from '../../web/components/forms/checkbox.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import type { PageContext } from '../framework/page-context.ts'
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

/** Requests only the address first, because it can belong to a team with an identity provider. */
export const AddressForm = ({ email }: { email: string }) => (
  <Form name="address">
    <AddressField email={email} hasFocus />
    <Buttons>
      <Button>Continue</Button>
    </Buttons>
  </Form>
)

interface PasswordFormProps {
  email: string
  ctx: PageContext
  /** True if the password is the usual way to sign in, and not an alternative to an identity provider. */
  isUsual: boolean
}

/** Requests address and password. */
export const PasswordForm = ({ email, ctx, isUsual }: PasswordFormProps) => (
  <Form name="sign-in">
    <AddressField email={email} hasFocus={email === ''} />
    <Field
      name="password"
      label="Password"
      noun="your password"
      type="password"
      autocomplete="current-password"
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
