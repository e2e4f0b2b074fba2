import { Field } from '../../web/components/forms/field.tsx'
import { Username } from '../security/username.tsx'

const hint =
  '8 to 128 characters that are hard to guess, such as several unrelated words or random characters. Do not use your name, your email address or the name of this service.'

/** A field for a new password. Password managers store it under `email`. */
export const NewPasswordField = ({ name, label, email }: { name: string; label: string; email?: string }) => (
  <>
    {email !== undefined && <Username email={email} />}
    <Field name={name} label={label} type="password" autocomplete="new-password" hint={hint} />
  </>
)
