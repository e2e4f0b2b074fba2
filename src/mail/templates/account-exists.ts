import { linkMail } from './link-mail.ts'

/** A mail to the owner of an account when someone signs up with its address. The page shows the same text for every address. */
export const accountExistsMail = linkMail(({ email, product }) => ({
  subject: 'You already have an account',
  paragraph: `Someone tried to create an account with the email address ${email}, which already has one. Nothing was changed. You can sign in with your password.`,
  lead: 'If you forgot your password, choose a new one here:',
  button: 'Choose a new password',
  reason: `someone tried to create an account at ${product} with your email address`,
}))
