import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { notForYou, yoursAlone } from './link-mail.ts'
import type { LinkMailData } from './link-mail.ts'
import { moment } from './moment.ts'

/** To somebody who does not know their password. */
export const resetPasswordMail = ({ email, link, expiresAt }: LinkMailData): Words =>
  letter({
    subject: 'Choose a new password',
    title: 'Choose a new password',
    paragraphs: [`A new password was asked for, for the account with the address ${email}.`],
    link: { lead: 'Choose it here:', button: 'Choose a new password', address: link },
    ending: [`The link works until ${moment(expiresAt, null)}.`, `${notForYou} ${yoursAlone}`],
  })
