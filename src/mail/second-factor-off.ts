import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { moment } from './moment.ts'
import type { NoticeMailData } from './notice-mail.ts'

/** To somebody whose password alone signs in from now on, whoever turned the second factor off. */
export const secondFactorOffMail = ({ email, at, forgottenPassword }: NoticeMailData): Words =>
  letter({
    subject: 'Your second factor was turned off',
    paragraphs: [
      `The account with the address ${email} asks for no second factor since ${moment(at)}: whoever knows its password can sign in.`,
    ],
    link: {
      lead: 'If you did not want that, choose a new password at once, then turn the second factor on again:',
      button: 'If you did not want that, choose a new password',
      address: forgottenPassword,
    },
    ending: ['If you did, there is nothing to do.'],
  })
