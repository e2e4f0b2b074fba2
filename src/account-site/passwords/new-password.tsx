import { z } from 'zod'
import { measureStrength, passwordLength } from '../../../schema/accounts/passwords/password.ts'
import type { PasswordOwner, Strength } from '../../../schema/accounts/passwords/password.ts'
import { form } from '../framework/form.ts'
import type { PageForm } from '../framework/form.ts'
import { text } from '../framework/field-types.ts'
import type { PageContext } from '../framework/page-context.ts'
import { Field, passwordScript } from '../../web/components/forms/field.tsx'
import { formatFieldId } from '../../web/components/forms/field-description.tsx'
import { useCsrfToken } from '../../web/components/forms/form.tsx'
import { Username } from '../security/username.tsx'

/** Name of the form on every page that sets a password. */
const strengthForm = 'strength'

const words: Record<Strength, string> = {
  length: 'This password is too long.',
  common: 'Easy to guess. Add unrelated words.',
  own: 'Too close to a name. Add other words.',
  fair: 'Good password.',
  strong: 'Strong password.',
}

/**
 * Returns the strength of a password while the user types it, by the rule that the operations apply. The dictionaries of that rule are too
 * large for a page. Nothing is stored.
 */
export const passwordStrength = (findOwner: (typed: PasswordOwner, ctx: PageContext) => PasswordOwner | Promise<PasswordOwner>): PageForm =>
  form({
    fields: z.object({ password: text, name: text, email: text }),
    async submit({ password, ...typed }, ctx) {
      const strength = measureStrength(ctx.graphqlContext, password, await findOwner(typed, ctx))
      return { json: { strength, text: words[strength] } }
    },
  })

/** The scripts of a page with a new password. */
export const newPasswordScripts = [passwordScript, 'password-strength.js'] as const

interface NewPasswordFieldProps {
  name: string
  label: string
  email?: string
  /** True if this field has the focus when the page opens. */
  hasFocus?: boolean
}

/**
 * A field for a new password. Password managers store it under `email`. The page declares the form `strength`, to which the script sends
 * the typed text; its response replaces the rule.
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
            data-strength={formatFieldId(name)}
            data-csrf={useCsrfToken(strengthForm)}
            data-min-length={passwordLength.min}
          />
          <span aria-live="polite">At least {passwordLength.min} characters, hard to guess.</span>
        </>
      }
    />
  </>
)
