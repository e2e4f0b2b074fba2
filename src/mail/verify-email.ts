import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { yoursAlone } from './link-mail.ts'
import type { LinkMailData } from './link-mail.ts'
import { moment } from './moment.ts'

/** To the address of a new account. It names nobody: who signed up may be a stranger, and would write this mail with their name. */
export const verifyEmailMail = ({ email, link, expiresAt }: LinkMailData): Words =>
  letter({
    subject: 'Verify your email address',
    title: 'Verify your email address',
    paragraphs: [`An account was made with the address ${email}. Show that the address is yours, to be able to join teams.`],
    link: { lead: 'Verify the address here:', button: 'Verify the address', address: link },
    ending: [
      `The link works until ${moment(expiresAt, null)}.`,
      `If it was not you who made the account, do not follow the link: the address then stays unverified. ${yoursAlone}`,
    ],
  })
