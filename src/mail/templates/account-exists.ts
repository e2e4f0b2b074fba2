import { linkMail } from './link-mail.ts'

/** To the owner of an account when someone signs up with its address. The page shows the same text for every address. */
export const accountExistsMail = linkMail(({ email }) => ({
  subject: 'You already have an account',
  paragraph: `Someone tried to create an account with the address ${email}, which already has one. Nothing was changed: sign in with your password.`,
  lead: 'If you do not know your password, choose a new one here:',
  button: 'Choose a new password',
}))
