import { passwordLength } from '../../../schema/accounts/passwords/password.ts'
import { Field, passwordScript } from '../../web/components/forms/field.tsx'
import { fieldIdOf } from '../../web/components/forms/field-description.tsx'
import { useCsrfToken } from '../../web/components/forms/form.tsx'
import { Username } from '../security/username.tsx'
import { strengthForm } from './password-strength.ts'

/** The scripts of a page with a new password. */
export const newPasswordScripts = [passwordScript, 'password-strength.js'] as const

interface NewPasswordFieldProps {
  name: string
  label: string
  email?: string
  /** Whether the page starts at this field. */
  hasFocus?: boolean
}

/**
 * A field for a new password. Password managers store it under `email`. The page declares the form `strength`, to which the script sends
 * what is typed; the answer replaces the rule.
 */
export const NewPasswordField = ({ name, label, email, hasFocus = false }: NewPasswordFieldProps) => (
  <>
    {email !== undefined && <Username email={email} />}
    <Field
      name={name}
      label={label}
      type="password"
      autocomplete="new-password"
      hasFocus={hasFocus}
      hint={
        <>
          <span
            class="strength"
            data-strength={fieldIdOf(name)}
            data-csrf={useCsrfToken(strengthForm)}
            data-min-length={passwordLength.min}
          />
          <span aria-live="polite">At least {passwordLength.min} characters, hard to guess.</span>
        </>
      }
    />
  </>
)
