import { linkMail } from './link-mail.ts'

/** A mail to the address of a new account. It contains no name, which could be any text of a person who does not own the address. */
export const verifyEmailMail = linkMail(
  ({ email, product }) => ({
    subject: 'Verify your email address',
    paragraph: `An account was created with the email address ${email}. Verify it to create and join teams. In the browser in which you signed up, the link also signs you in.`,
    lead: 'Verify your email address here:',
    button: 'Verify email address',
    notForYou: 'If you did not create this account, you can ignore this email. The email address then stays unverified.',
    reason: `someone created an account at ${product} with your email address`,
  }),
  { isNamed: false },
)
