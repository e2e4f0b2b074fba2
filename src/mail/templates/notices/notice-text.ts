import type { NoticeKind, Notices } from '../../../../schema/core/notices/notices.ts'
import { forgottenPasswordPath } from '../../../web/page-paths.ts'
import { nameInText } from '../../names.ts'
import type { Recipient } from '../../recipient.ts'

/** What a notice says. When and where is the same for all (notice-mail.ts). */
export interface NoticeText {
  /** Names what was changed, and its team. */
  subject: string
  /** What happened. */
  event: string
  /** Whether `event` says who did it; otherwise, the sentence with the time does. */
  saysWho?: true
  link: { lead: string; button: string; path: string }
  /** The last paragraph. */
  ending: string
  /** Why the recipient receives it, after "because". */
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
  /** Who made the change, if it was not the recipient. */
  by: string | null
  /** `Firefox on Linux`, if known. */
  device: string | null
}

export type NoticeTexts = { [Kind in NoticeKind]: (data: Notices[Kind], context: NoticeContext) => NoticeText }

/**
 * Inserts names, which are unmodified user input, as one line each that cannot change the text around it. Write characters beyond
 * ASCII as escapes, such as `\u201c`: the bundler keeps the text of a tagged template, and the bundle is ASCII.
 */
export const sentence = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => nameInText(String(value))))

const fixedNames = /^(an operator of this service$|the team token )/

/** Who made the change, at the beginning of a sentence. Nobody reads about their own act as if someone else had done it. */
export const who = ({ by }: NoticeContext): string =>
  by === null ? 'You' : by.replace(fixedNames, (words) => words.charAt(0).toUpperCase() + words.slice(1))

type Frame = Pick<NoticeText, 'link' | 'ending' | 'reason'>

/** For a change that only the user should make: what to do otherwise, and where. */
export const ifNotYou = (action: string, button: string, path: string, { product }: NoticeContext): Frame => ({
  link: { lead: `If this was not you, ${action}:`, button, path },
  ending: 'If this was you, you can ignore this email.',
  reason: `it is about the security of your account at ${product}`,
})

/** The same where the password may be known to someone else. `after` is what the user does next. */
export const ifNotYouNewPassword = (after: string, context: NoticeContext): Frame =>
  ifNotYou(`choose a new password immediately${after}`, 'Choose a new password', forgottenPasswordPath, context)
