import { randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Provider } from 'oidc-provider'
import type { Database } from '../../prisma/client.ts'
import type { Ports } from '../../schema/context.ts'
import { sha256 } from '../../schema/secret.ts'
import { lifetimes } from './lifetimes.ts'
import { noteSignIn, noteUse } from './storage/session-statements.ts'
import { currentTurn } from './turn.ts'

/** How a person has shown who they are: methods of RFC 8176. */
export type Method = 'pwd' | 'otp' | 'hwk'

/** What a person has shown. */
export interface Proof {
  userId: string
  methods: readonly Method[]
  /** SHA-256, in hex, of the stored hash of the password that was given; null where none was. */
  passwordDigest: string | null
}

/** The browser's session, which the account site and the authorization server share. To be called within a turn. */
export interface Sessions {
  /**
   * Signs a person in, or in anew. The session gets a new identifier, so that none that was planted is of use; that of
   * another person ends, and the clients that want to know are told. False, and nobody is signed in, where the password
   * was changed or the account disabled meanwhile.
   */
  signIn(request: Request, response: Response, proof: Proof): Promise<boolean>
  /** Gives the session a new identifier: what the person may do has changed. */
  renew(request: Request, response: Response): Promise<void>
  /** Ends the browser's session, and tells the clients that want to know. */
  signOut(request: Request, response: Response): Promise<void>
  /** Notes that a session is in use; it and its cookie live on. */
  note(request: Request, response: Response, sessionId: string): Promise<void>
}

interface SessionsPorts {
  provider(): Promise<Provider>
  database: Database
  cookie: SessionCookie
  now(): Date
  /** Has the clients told that want to know, and waits for none of them. */
  sessionsEnded: Ports['sessionsEnded']
}

export interface SessionCookie {
  name: string
  options: { httpOnly: true; sameSite: 'lax'; signed: true; secure: boolean; overwrite: true }
}

/** What its types leave out. */
interface Made {
  createContext(request: Request, response: Response): Context
}
interface Context {
  cookies: {
    get(name: string, options: object): string | undefined
    set(name: string, value: string | null, options: object): void
  }
}
type Session = InstanceType<Provider['Session']>

export function createSessions({ provider, database: { pool }, cookie, now, sessionsEnded }: SessionsPorts): Sessions {
  const contextOf = (provider: Provider, request: Request, response: Response) =>
    (provider as unknown as Made).createContext(request, response)
  const expires = () => new Date(now().getTime() + lifetimes.session * 1000)

  const find = (provider: Provider, context: Context): Promise<Session> => provider.Session.get(context as never)

  function tell(context: Context, value: string): void {
    context.cookies.set(cookie.name, value, { ...cookie.options, expires: expires() })
  }

  async function keep(context: Context, session: Session): Promise<void> {
    // Not by its own `resetIdentifier`, which deletes the row: here it is renamed.
    session.jti = randomBytes(32).toString('base64url')
    await session.save(lifetimes.session)
    tell(context, session.jti)
  }

  async function end(session: Session): Promise<void> {
    const { accountId, authorizations = {} } = session
    if (accountId === undefined) return
    await session.destroy()
    sessionsEnded([{ accountId, authorizations }])
  }

  return {
    async signIn(request, response, { userId, methods, passwordDigest }) {
      const asked = await provider()
      const context = contextOf(asked, request, response)
      let session = await find(asked, context)
      if (session.accountId !== undefined && session.accountId !== userId) {
        await end(session)
        session = new asked.Session()
      }
      session.loginAccount({ accountId: userId, loginTs: Math.floor(now().getTime() / 1000), amr: [...methods] })
      await keep(context, session)
      const digest = passwordDigest === null ? null : Buffer.from(passwordDigest, 'hex')
      const [noted] = await noteSignIn(pool, sha256(session.uid), now(), userId, digest)
      if (noted) return true
      await session.destroy()
      context.cookies.set(cookie.name, null, cookie.options)
      return false
    },
    async renew(request, response) {
      const asked = await provider()
      const context = contextOf(asked, request, response)
      const session = await find(asked, context)
      if (session.accountId !== undefined) await keep(context, session)
    },
    async signOut(request, response) {
      const asked = await provider()
      const context = contextOf(asked, request, response)
      await end(await find(asked, context))
      context.cookies.set(cookie.name, null, cookie.options)
    },
    async note(request, response, sessionId) {
      const { address, userAgent } = currentTurn()
      await noteUse(pool, sessionId, now(), address, userAgent, expires())
      const context = contextOf(await provider(), request, response)
      const value = context.cookies.get(cookie.name, cookie.options)
      if (value !== undefined) tell(context, value)
    },
  }
}
