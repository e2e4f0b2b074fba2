import { linkMail } from './link-mail.ts'

/** To a user who forgot their password. */
export const resetPasswordMail = linkMail(({ email }) => ({
  subject: 'Choose a new password',
  paragraph: `Someone requested a new password for the account with the address ${email}.`,
  lead: 'Choose it here:',
  button: 'Choose a new password',
}))
