import type { Words } from './letter.ts'
import { linkLetter } from './link-mail.ts'
import type { LinkMailData } from './link-mail.ts'

/** To the owner of an account whose address somebody signed up with: the page there said the same as to anybody. */
export const accountExistsMail = (data: LinkMailData): Words =>
  linkLetter(data, {
    subject: 'You have an account already',
    paragraph: `Somebody wanted to make an account with the address ${data.email}, which has one already. Nothing was changed: sign in with your password.`,
    lead: 'If you do not know your password, choose a new one here:',
    button: 'Choose a new password',
  })
