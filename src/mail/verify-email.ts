import type { Words } from './letter.ts'
import { linkLetter } from './link-mail.ts'
import type { LinkMailData } from './link-mail.ts'

/** To the address of a new account. It names nobody: who signed up may be a stranger, and would write this mail with their name. */
export const verifyEmailMail = (data: LinkMailData): Words =>
  linkLetter(data, {
    subject: 'Verify your email address',
    paragraph: `An account was made with the address ${data.email}. Show that the address is yours, to be able to join teams.`,
    lead: 'Verify the address here:',
    button: 'Verify the address',
    notForYou: 'If it was not you who made the account, do not follow the link: the address then stays unverified.',
  })
