import type { Words } from './letter.ts'
import { linkLetter } from './link-mail.ts'
import type { LinkMailData } from './link-mail.ts'

/** To an address that is to become that of an account. */
export const changeEmailMail = (data: LinkMailData): Words =>
  linkLetter(data, {
    subject: 'Confirm your new email address',
    paragraph: `The account with the address ${data.account} is to have the address ${data.email} instead.`,
    lead: 'Confirm the new address here:',
    button: 'Confirm the address',
  })
