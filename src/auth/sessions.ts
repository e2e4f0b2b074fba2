import type { Request, Response } from 'express'
import type { SignInProof } from '../../schema/core/browser-session.ts'

/**
 * The session of a browser, which the account site and the authorization server share. The request must have a
 * request context of the authorization server (`withRequestContext`).
 */
export interface Sessions {
  /** Returns the value of the session cookie; undefined without one, or if it was not signed under this SECRET_KEY. */
  cookieValue(request: Request, response: Response): Promise<string | undefined>
  /**
   * Signs a user in, or authenticates the signed-in user again. The session gets a new identifier, so that an identifier planted by an
   * attacker is useless (session fixation). The session of another user ends, and its clients are notified. Returns false, without a
   * session, if the account was disabled or the password changed since it was verified.
   */
  signIn(request: Request, response: Response, proof: SignInProof): Promise<boolean>
  /** Assigns a new identifier to the session, after a change of the user's rights or sign-in methods. */
  renew(request: Request, response: Response): Promise<void>
  /** Ends the session of the browser and notifies its clients. */
  signOut(request: Request, response: Response): Promise<void>
  /** Records that a session is in use, which extends the session and its cookie. */
  recordUse(request: Request, response: Response, sessionId: string): Promise<void>
}
