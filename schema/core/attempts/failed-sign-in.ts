/** The methods of a sign-in, with their descriptions. */
export const signInMethods = {
  password: 'The password.',
  email_code: 'A code that was emailed.',
  second_factor: 'The code, recovery code or passkey after the first step.',
  passkey: 'A passkey instead of the password.',
  provider: 'An identity provider.',
} as const
export type SignInMethod = keyof typeof signInMethods

/** Why a sign-in to an account fails, with descriptions for staff and the user. */
export const failedSignInReasons = {
  wrong_password: 'The password was wrong.',
  no_password: 'The account has no password.',
  wrong_emailed_code: 'The code from the email was wrong or had expired.',
  wrong_app_code: 'The code of the authenticator app was wrong or had been used.',
  wrong_recovery_code: 'The recovery code was wrong or had been used.',
  passkey_refused: 'The passkey was not accepted, or belongs to another account.',
  account_limited: 'The limit of attempts for the account was reached.',
  network_limited: 'The limit of attempts for the network of the browser was reached.',
  code_limited: 'The code from the email was entered wrongly too often.',
  code_not_sent: 'No code was emailed, because too many were requested.',
  address_unverified: 'The email address is not verified, so no code was emailed.',
  account_disabled: 'The account is disabled.',
  deletion_pending: 'The account is being deleted, which a sign-in through this provider cannot undo.',
  password_changed: 'The password was changed before the sign-in was completed.',
} as const
export type FailedSignInReason = keyof typeof failedSignInReasons

/** The account that a failed sign-in was for: what the browser sent of it. There may be no such account. */
export type FailedSignInAccount = { id: string } | { email: string } | { passkey: string }

/** A failed sign-in, without what was entered. */
export interface FailedSignIn {
  account: FailedSignInAccount
  method: SignInMethod
  reason: FailedSignInReason
}

/** Days after the last failure until the record of failures with its reason is deleted. */
export const failedSignInDays = 90
