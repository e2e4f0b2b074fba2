import { linkMail } from './link-mail.ts'

/** To the address that an account is about to use. */
export const changeEmailMail = linkMail(({ email, account }) => ({
  subject: 'Confirm your new email address',
  paragraph: `The account with the address ${account} requested to change its address to ${email}.`,
  lead: 'Confirm the new address here:',
  button: 'Confirm email address',
}))
