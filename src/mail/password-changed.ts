import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { moment } from './moment.ts'
import type { NoticeMailData } from './notice-mail.ts'

/** To somebody whose password is another one. No link of their own is in it: what is to be done, they ask for themselves. */
export const passwordChangedMail = ({ email, at, forgottenPassword }: NoticeMailData): Words =>
  letter({
    subject: 'Your password was changed',
    paragraphs: [`The password of the account with the address ${email} was changed on ${moment(at)}. All other browsers were signed out.`],
    link: {
      lead: 'If it was not you who changed it, choose a new one at once:',
      button: 'If it was not you, choose a new one',
      address: forgottenPassword,
    },
    ending: ['If it was you, there is nothing to do.'],
  })
