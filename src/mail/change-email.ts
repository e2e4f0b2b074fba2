import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { notForYou, yoursAlone } from './link-mail.ts'
import type { LinkMailData } from './link-mail.ts'
import { moment } from './moment.ts'

/** To an address that is to become that of an account. */
export const changeEmailMail = ({ email, account, link, expiresAt }: LinkMailData): Words =>
  letter({
    subject: 'Confirm your new email address',
    title: 'Confirm your new email address',
    paragraphs: [`The account with the address ${account} is to have the address ${email} instead.`],
    link: { lead: 'Confirm the new address here:', button: 'Confirm the address', address: link },
    ending: [`The link works until ${moment(expiresAt, null)}.`, `${notForYou} ${yoursAlone}`],
  })
