import type { AccountAttemptLimits } from './attempts/attempt-limit.ts'
import { sha256 } from './sha256.ts'

/** A method by which a user authenticated, as in the `amr` claim (authentication method references of RFC 8176). */
export type AuthenticationReference = 'pwd' | 'otp' | 'hwk'

/** The result of verified credentials, from which a session is created. */
export interface SignInProof {
  userId: string
  methods: readonly AuthenticationReference[]
  /** SHA-256, in hex, of the stored hash of the password that was entered; null if no password was used. */
  passwordDigest: string | null
  /** True if a trusted device replaced the second factor. Such a sign-in does not count as recent. */
  skippedSecondFactor?: boolean
  /** The identity provider of a team through which the user signed in. */
  providerId?: string | null
}

/** A sign-in whose password, or whose sign-in at an identity provider, was accepted and whose second factor is missing. */
export type PendingSignIn = Pick<SignInProof, 'userId' | 'methods' | 'passwordDigest' | 'providerId'>

/** A sign-up of this browser. The address may belong to an older account: then no stored password has the digest. */
export interface PendingSignUp {
  name: string
  email: string
  /** SHA-256, in hex, of the hash of the password that was entered. Only the account that this sign-up created has that hash. */
  passwordDigest: string
}

/** A code that this browser requested to sign in. The email address may have no account: then no link has the identifier. */
export interface CodeRequest {
  linkId: string
  email: string
}

/** The browser that requested a page of the account site: its session, the cookie of a pending sign-in, and its attempt limits. */
export interface BrowserSession {
  attemptLimits: AccountAttemptLimits
  /** Client address for the attempt limits: an IPv4 address or an IPv6 network. */
  address: string
  /** The browser's `User-Agent` header field. */
  userAgent: string
  /**
   * Signs the user in and gives the session a new identifier. Returns false, without a session, if the account was
   * disabled or the password changed since it was verified.
   */
  signIn(proof: SignInProof): Promise<boolean>
  /**
   * Returns the identifier of this browser for an account that signed in here before, or null. Attempts with it have a separate counter, so
   * that attackers cannot lock the user out.
   */
  findDevice(userId: string): string | null
  /** Returns the identifiers of the users who signed in in this browser before. */
  findKnownUsers(): readonly string[]
  /** Returns the value by which this browser is trusted for an account, or null. It may no longer be valid. */
  findTrust(userId: string): string | null
  saveTrust(userId: string, value: string): void
  /** Returns the pending sign-in of this browser, or null. It expires ten minutes after the password was entered. */
  findPendingSignIn(): PendingSignIn | null
  savePendingSignIn(pending: PendingSignIn): void
  clearPendingSignIn(): void
  /** Returns the last sign-up of this browser, or null. It expires with the link in its email, and ends when somebody signs in. */
  findSignUp(): PendingSignUp | null
  saveSignUp(signUp: PendingSignUp): void
  /** Returns the code that this browser requested last, or null. It expires with the code. */
  findCodeRequest(): CodeRequest | null
  saveCodeRequest(request: CodeRequest): void
  clearCodeRequest(): void
  /** Returns the value by which the responses of identity providers to requests of this browser are recognised, or null. */
  findProviderBrowser(): string | null
  /** Stores the value until the requests of this browser to identity providers expire. */
  saveProviderBrowser(value: string): void
}

/** Returns the SHA-256 of the value by which this browser is trusted for the user, if any. The trust may have expired. */
export function trustHash({ browser }: { browser: BrowserSession | null }, userId: string): Buffer | null {
  const value = browser?.findTrust(userId) ?? null
  return value === null ? null : sha256(value)
}
