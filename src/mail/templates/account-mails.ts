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

/** A mail to the owner of an account when someone signs up with its address. The page shows the same text for every address. */
export const accountExistsMail = linkMail(({ email, product }) => ({
  subject: 'You already have an account',
  paragraph: `Someone tried to create an account with the email address ${email}, which already has one. Nothing was changed. You can sign in with your password.`,
  lead: 'If you forgot your password, choose a new one here:',
  button: 'Choose a new password',
  reason: `someone tried to create an account at ${product} with your email address`,
}))

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

/** A mail to a user who forgot the password. */
export const resetPasswordMail = linkMail(({ email, product }) => ({
  subject: 'Choose a new password',
  paragraph: `Someone requested a new password for the account ${email}.`,
  lead: 'Choose a new password here:',
  button: 'Choose a new password',
  reason: `a new password was requested for your account at ${product}`,
}))

/** A mail to a user without password and passkey who signed in through a team's identity provider and needs the whole account. */
export const proveAccountMail = linkMail(({ email, product }) => ({
  subject: 'Confirm it’s you',
  paragraph: `Someone signed in to the account ${email} through the identity provider of a team, and asked to open the rest of the account: its other teams and its settings.`,
  lead: 'If this was you, open this link in the same browser:',
  button: 'Confirm it’s you',
  notForYou:
    'If this was not you, do not open the link, and inform an owner of the team. Without the link, the rest of your account cannot be opened.',
  reason: `someone asked to open your whole account at ${product}`,
}))
