import { linkMail } from './link-mail.ts'

/** A mail to a user without password and passkey who signed in through a team's identity provider and needs the whole account. */
export const proveAccountMail = linkMail(({ email, product }) => ({
  subject: 'Confirm it’s you',
  paragraph: `Someone signed in to the account ${email} through the identity provider of a team, and asked to open the rest of the account: its other teams and its settings.`,
  lead: 'If it was you, open this link in the same browser:',
  button: 'Confirm it’s you',
  notForYou: 'If it was not you, do not open the link: nothing more is opened without it. Tell an owner of the team.',
  reason: `your account at ${product} was to be opened beyond the team that you signed in through`,
}))
