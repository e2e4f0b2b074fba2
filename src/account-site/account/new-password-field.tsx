import { passwordLength } from '../../../schema/password.ts'
import { Field } from '../form.tsx'
import { Username } from '../username.tsx'

/** A password that is to be chosen; password managers are told whose it is. */
export const NewPasswordField = ({ name, label, email }: { name: string; label: string; email?: string }) => (
  <>
    {email !== undefined && <Username email={email} />}
    <Field name={name} label={label} type="password" autocomplete="new-password" hint={`At least ${passwordLength.least} characters.`} />
  </>
)
