import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { moment } from './moment.ts'

interface EmailChangedData {
  /** The address that was. */
  recipient: string
  at: Date
}

/** To the old address. It does not tell the new one: whoever reads this mailbox need not know it. */
export const emailChangedMail = ({ recipient, at }: EmailChangedData): Words =>
  letter({
    subject: 'Your email address was changed',
    paragraphs: [
      `Your account no longer has the address ${recipient}, since ${moment(at)}. Mails go to the new address, and you sign in with it.`,
    ],
    ending: ['If it was not you who changed it, tell those who run this service at once: somebody else may be in your account.'],
  })
