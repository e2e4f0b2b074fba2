import type { NoticeKind, Notices } from '../../../../schema/core/notices/notices.ts'
import { forgottenPasswordPath } from '../../../web/page-paths.ts'
import { nameInText } from '../../names.ts'
import type { Recipient } from '../../recipient.ts'

/** Content of a notice. Time and place are the same for all (notice-mail.ts). */
export interface NoticeText {
  /** Subject, with the name of the changed object and its team. */
  subject: string
  /** Description of the event. */
  event: string
  /** True if `event` contains the actor. Otherwise, the sentence with the time does. */
  saysWho?: true
  link: { lead: string; button: string; path: string }
  /** The last paragraph. */
  ending: string
  /** Reason for which the recipient receives the mail, after "because". */
  reason: string
}

export interface NoticeContext {
  /** The email address of the account. */
  account: string
  /** The name of the product. */
  product: string
  /** `contact support at help@example.com` */
  contact: string
  recipient: Recipient
  /** Name of the person who made the change, if it was not the recipient. */
  by: string | null
  /** A text such as `Firefox on Linux`; null if unknown. */
  device: string | null
}

export type NoticeTexts = { [Kind in NoticeKind]: (data: Notices[Kind], context: NoticeContext) => NoticeText }

/**
 * Inserts names, which are unmodified user input, as one line each that cannot change the text around it. Write characters beyond ASCII as
 * escapes, such as `\u201c`, because the bundler keeps the text of a tagged template, and the bundle is ASCII.
 */
export const sentence = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => nameInText(String(value))))

const fixedNames = /^(an operator of this service$|the team token )/

/** Returns the actor for the start of a sentence. It never describes the recipient's own change as made by someone else. */
export const who = ({ by }: NoticeContext): string =>
  by === null ? 'You' : by.replace(fixedNames, (words) => words.charAt(0).toUpperCase() + words.slice(1))

type Frame = Pick<NoticeText, 'link' | 'ending' | 'reason'>

/** Returns instructions for the case that someone else made a change that only the user should make. */
export const ifNotYou = (action: string, button: string, path: string, { product }: NoticeContext): Frame => ({
  link: { lead: `If this was not you, ${action}:`, button, path },
  ending: 'If this was you, you can ignore this email.',
  reason: `it is about the security of your account at ${product}`,
})

/** Returns these instructions for the case that someone else may have the password. `after` is the next step of the user. */
export const ifNotYouNewPassword = (after: string, context: NoticeContext): Frame =>
  ifNotYou(`choose a new password immediately${after}`, 'Choose a new password', forgottenPasswordPath, context)
