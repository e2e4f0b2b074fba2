import { linkMail } from './link-mail.ts'

/** A mail to the address that an account is about to use. It contains no name, because the email address may belong to another person. */
export const changeEmailMail = linkMail(
  ({ email, account, product }) => ({
    subject: 'Confirm your new email address',
    paragraph: `Someone requested to change the email address of the account ${account} to ${email}.`,
    lead: 'Confirm the new email address here:',
    button: 'Confirm email address',
    reason: `someone entered your email address as the new email address of an account at ${product}`,
  }),
  { isNamed: false },
)
