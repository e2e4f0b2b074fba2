import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { notForYou, yoursAlone } from './link-mail.ts'
import type { LinkMailData } from './link-mail.ts'
import { moment } from './moment.ts'

/** To the owner of an account whose address somebody signed up with: the page there said the same as to anybody. */
export const accountExistsMail = ({ email, link, expiresAt }: LinkMailData): Words =>
  letter({
    subject: 'You have an account already',
    title: 'You have an account already',
    paragraphs: [
      `Somebody wanted to make an account with the address ${email}, which has one already. Nothing was changed: sign in with your password.`,
    ],
    link: { lead: 'If you do not know your password, choose a new one here:', button: 'Choose a new password', address: link },
    ending: [`The link works until ${moment(expiresAt, null)}.`, `${notForYou} ${yoursAlone}`],
  })
