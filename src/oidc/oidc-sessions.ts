import type { Request, Response } from 'express'
import type { Provider } from 'oidc-provider'
import type { Database } from '../../prisma/connection/database.ts'
import type { Ports } from '../../schema/core/ports.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { toAmr } from './amr.ts'
import { isOwnProof } from '../../schema/security/sessions/own-proof.ts'
import { provesTwoFactor } from '../../schema/security/sessions/proved-two-factor.ts'
import type { Sessions } from '../auth/sessions.ts'
import { readCookie } from '../http/cookie-header.ts'
import { lifetimes, sessionSeconds } from './provider/lifetimes.ts'
import { processSeconds, secondsAhead } from './process-clock.ts'
import { getProviderSession, saveWithNewIdentifier, signedCookies } from './provider/provider-internals.ts'
import type { ProviderSession } from './provider/provider-internals.ts'
import { recordSessionUse, recordSignIn } from './storage/session-queries.ts'
import { readBrowser } from './request-context.ts'

interface SessionsPorts {
  provider(): Promise<Provider>
  database: Database
  cookie: SessionCookie
  /** Days from the sign-in to the end of a session. */
  sessionDaysMax: number
  now(): Date
  /** Notifies clients in the background. */
  sessionsEnded: Ports['sessionsEnded']
}

export interface SessionCookie {
  name: string
  options: { httpOnly: true; sameSite: 'lax'; signed: true; secure: boolean; overwrite: true }
}

/** Creates `Sessions` on the session model of oidc-provider. */
export function createSessions({ provider, database: { pool }, cookie, sessionDaysMax, now, sessionsEnded }: SessionsPorts): Sessions {
  /** Returns the session cookie of one request. */
  async function readCookieValue(request: Request, response: Response) {
    const cookies = signedCookies(await provider(), request, response)
    return {
      get: () => cookies.get(cookie.name, cookie.options),
      set: (value: string, expires: Date) => void cookies.set(cookie.name, value, { ...cookie.options, expires }),
      clear: () => void cookies.set(cookie.name, null, cookie.options),
    }
  }

  /** Stores the session under a new identifier and sends its cookie. */
  async function save(session: ProviderSession, sessionCookie: Awaited<ReturnType<typeof readCookieValue>>): Promise<void> {
    const seconds = sessionSeconds(sessionDaysMax, processSeconds(), session.loginTs ?? 0)
    sessionCookie.set(await saveWithNewIdentifier(session, seconds), new Date(now().getTime() + seconds * 1000))
  }

  async function end(session: ProviderSession): Promise<void> {
    const { accountId, authorizations = {} } = session
    if (accountId === undefined) return
    await session.destroy()
    sessionsEnded([{ accountId, authorizations }])
  }

  return {
    async cookieValue(request, response) {
      // Most requests without a session have no cookies and do not need the provider.
      return readCookie(request.headers.cookie, cookie.name) && (await readCookieValue(request, response)).get()
    },
    async signIn(request, response, proof) {
      const { userId, methods, passwordDigest, skippedSecondFactor = false, providerId = null } = proof
      const currentProvider = await provider()
      const sessionCookie = await readCookieValue(request, response)
      let session = await getProviderSession(currentProvider, request, response)
      if (session.accountId !== undefined && session.accountId !== userId) {
        await end(session)
        session = new currentProvider.Session()
      }
      const loginTs = Math.floor(now().getTime() / 1000) - secondsAhead(now)
      session.loginAccount({ accountId: userId, loginTs, amr: toAmr(methods) })
      try {
        await save(session, sessionCookie)
      } catch (error) {
        if (!isOfDeletedUser(error)) throw error
        sessionCookie.clear()
        return false
      }
      const digest = passwordDigest === null ? null : Buffer.from(passwordDigest, 'hex')
      const facts = [skippedSecondFactor, provesTwoFactor(proof), isOwnProof(proof), providerId] as const
      const [recorded] = await recordSignIn(pool, sha256(session.uid), now(), userId, digest, ...facts)
      if (recorded) return true
      await session.destroy()
      sessionCookie.clear()
      return false
    },
    async renew(request, response) {
      const sessionCookie = await readCookieValue(request, response)
      const session = await getProviderSession(await provider(), request, response)
      if (session.accountId !== undefined) await save(session, sessionCookie)
    },
    async signOut(request, response) {
      const sessionCookie = await readCookieValue(request, response)
      await end(await getProviderSession(await provider(), request, response))
      sessionCookie.clear()
    },
    async recordUse(request, response, sessionId) {
      const { address, userAgent } = readBrowser(request)
      const slidingEnd = new Date(now().getTime() + lifetimes.session * 1000)
      const [extended] = await recordSessionUse(pool, sessionId, now(), address, userAgent, slidingEnd, sessionDaysMax)
      const sessionCookie = await readCookieValue(request, response)
      const value = sessionCookie.get()
      if (value !== undefined && extended) sessionCookie.set(value, new Date(extended.expiresAt))
    },
  }
}

/** Returns true if a session could not be written because its account was deleted at the same moment. */
const isOfDeletedUser = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'sessions_user_id_fkey'
