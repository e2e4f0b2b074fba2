import { letter } from './letter.ts'
import type { Words } from './letter.ts'
import { moment } from './moment.ts'

/** What a mail with a link says. */
export interface LinkMailData {
  /** The address it goes to. */
  email: string
  /** The address that the account has at present. */
  account: string
  link: string
  /** When the link stops working. */
  expiresAt: Date
}

interface LinkLetter {
  subject: string
  paragraph: string
  lead: string
  button: string
  /** To whom it comes though they did not ask for it. */
  notForYou?: string
}

/** A letter around a link that works once and for some time. */
export const linkLetter = (
  { link, expiresAt }: LinkMailData,
  {
    subject,
    paragraph,
    lead,
    button,
    notForYou = 'If it was not you who asked for this mail, you need not do anything: nothing changes without the link.',
  }: LinkLetter,
): Words =>
  letter({
    subject,
    paragraphs: [paragraph],
    link: { lead, button, address: link },
    ending: [
      `The link works until ${moment(expiresAt)}.`,
      `${notForYou} The link is meant for you alone and works once; please do not pass it on.`,
    ],
  })
