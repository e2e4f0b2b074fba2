import type { Words } from './letter.ts'
import { linkLetter } from './link-mail.ts'
import type { LinkMailData } from './link-mail.ts'

/** To somebody who does not know their password. */
export const resetPasswordMail = (data: LinkMailData): Words =>
  linkLetter(data, {
    subject: 'Choose a new password',
    paragraph: `A new password was asked for, for the account with the address ${data.email}.`,
    lead: 'Choose it here:',
    button: 'Choose a new password',
  })
