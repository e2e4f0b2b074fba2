/** What a mail says that tells a person how their account is signed in to from now on. */
export interface NoticeMailData {
  /** The account's address. */
  email: string
  /** When it was changed. */
  at: Date
  /** Where a new password is asked for: no link of the person's own is in such a mail. */
  forgottenPassword: string
}
