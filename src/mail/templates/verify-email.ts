import { linkMail } from './link-mail.ts'

/** To the address of a new account. It contains no name: the person who signed up may not own the address and would write this mail. */
export const verifyEmailMail = linkMail(({ email }) => ({
  subject: 'Verify your email address',
  paragraph: `An account was made with the address ${email}. Show that the address is yours, to be able to join teams.`,
  lead: 'Verify the address here:',
  button: 'Verify the address',
  notForYou: 'If it was not you who made the account, do not follow the link: the address then stays unverified.',
}))
