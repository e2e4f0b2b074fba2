import type { Request, Response } from 'express'
import type { Database } from '../../prisma/connection/database.ts'
import type { UserPrincipal } from '../../schema/core/principals.ts'
import { findSession } from './session-credential.ts'
import type { Sessions } from './sessions.ts'

/** Returns the user who is signed in in the requesting browser, or null. The request needs a request context. */
export type AuthenticateSession = (request: Request, response: Response) => Promise<UserPrincipal | null>

interface AuthenticateSessionPorts {
  database: Database
  sessions: Sessions
  now(): Date
  /** Records the activity of a user in the background. */
  recordUse(userId: string, lastUsedAt: null): void
}

/**
 * Records the use of the session once a minute, which extends the session and its cookie. It does nothing after the header fields
 * of the response were sent, so a stream that checks its session again does not extend it.
 */
export function createAuthenticateSession({ database, sessions, now, recordUse }: AuthenticateSessionPorts): AuthenticateSession {
  return async (request, response) => {
    const session = await findSession(database.pool, await sessions.cookieValue(request, response), now())
    if (!session) return null
    const { principal, lastUsedAt } = session
    if (!response.headersSent && now().getTime() - lastUsedAt.getTime() >= 60_000) {
      await sessions.recordUse(request, response, principal.credentialId)
      recordUse(principal.user.id, null)
    }
    return principal
  }
}
