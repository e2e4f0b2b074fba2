/** A limit on attempts, such as wrong passwords or requested mails. `parts` identify the counter, for example a client and an address. */
export interface AttemptLimit {
  /**
   * Counts an attempt. Call it before verifying, so that parallel attempts cannot exceed the limit. Throws `rate_limited`
   * with the seconds until the window ends; refused attempts do not extend the window.
   */
  attempt(...parts: string[]): Promise<void>
  /** Removes one attempt from the count, after it succeeded. */
  refund(...parts: string[]): Promise<void>
  /** Resets the count to zero. */
  clear(...parts: string[]): Promise<void>
}

/** The limits that operations of the account site enforce. `docs/decisions/accounts.md#attempt-limits` lists their values. */
export interface AccountAttemptLimits {
  /** Limits passwords and emailed codes for one account, by email address. */
  signInAccount: AttemptLimit
  /** Limits attempts with one emailed code. */
  signInCode: AttemptLimit
  /** Limits second factors of one account, after the correct password. */
  secondFactor: AttemptLimit
  /** Limits passwords, emailed codes and second factors from one client address. */
  signInAddress: AttemptLimit
  /** Limits sign-ups, and password resets and codes requested from one client address. These attempts are never refunded. */
  signUp: AttemptLimit
  /** Limits links of invitations and mails opened from one client address. */
  link: AttemptLimit
}

/** Formats a waiting time in whole minutes, rounded up, for pages and error messages. */
export function formatMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
