import type { Request, Response } from 'express'
import type { Database } from '../prisma/client.ts'
import type { UserPrincipal } from '../schema/context.ts'
import type { Sessions } from './oidc/session.ts'
import { cookieOf, findSession, sessionCookie } from './session-credential.ts'

/** Who is signed in in the browser that asks; null for nobody. To be called within a turn. */
export type AuthenticateSession = (request: Request, response: Response) => Promise<UserPrincipal | null>

interface AuthenticateSessionPorts {
  authUrl: string
  database: Database
  sessions: Sessions
  now(): Date
}

/** Finds who is signed in, and notes once a minute that the session is in use, by which it and its cookie live on. */
export function createAuthenticateSession({ authUrl, database, sessions, now }: AuthenticateSessionPorts): AuthenticateSession {
  const name = sessionCookie(authUrl)
  return async (request, response) => {
    const session = await findSession(database.pool, cookieOf(request.headers.cookie, name), now())
    if (!session) return null
    if (now().getTime() - session.lastUsedAt.getTime() >= 60_000) await sessions.note(request, response, session.principal.credentialId)
    return session.principal
  }
}
