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

/** The end of every mail that somebody else may have asked for. */
export const notForYou = 'If it was not you who asked for this mail, you need not do anything: nothing changes without the link.'

/** Why a link is not passed on. */
export const yoursAlone = 'The link is meant for you alone and works once; please do not pass it on.'
