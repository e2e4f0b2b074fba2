import { Field } from '../form.tsx'

/** A password that is to be chosen; password managers are told whose it is. */
export const NewPasswordField = ({ name, label, email }: { name: string; label: string; email?: string }) => (
  <>
    {email !== undefined && <input type="hidden" name="username" autocomplete="username" value={email} />}
    <Field name={name} label={label} type="password" autocomplete="new-password" hint="At least 8 characters." />
  </>
)
