import { linkMail } from './link-mail.ts'

/** A mail to a user who forgot the password. */
export const resetPasswordMail = linkMail(({ email, product }) => ({
  subject: 'Choose a new password',
  paragraph: `Someone requested a new password for the account ${email}.`,
  lead: 'Choose a new password here:',
  button: 'Choose a new password',
  reason: `a new password was requested for your account at ${product}`,
}))
