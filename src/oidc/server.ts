import { Router } from 'express'
import type { Request, RequestHandler, Response } from 'express'
import type { Provider } from 'oidc-provider'
import type { Database } from '../../prisma/client.ts'
import type { Ports } from '../../schema/context.ts'
import { allow } from '../allow.ts'
import { sessionCookie } from '../session-credential.ts'
import type { Guesses } from '../guesses.ts'
import { createAnswers } from './token/answers.ts'
import { createArtifacts } from './storage/artifact-form.ts'
import { createDeliveries } from './token/deliveries.ts'
import { derivedEndpoints, endpoints, interactionPath } from './endpoints.ts'
import { limitGuesses } from './guess-limits.ts'
import { whoAsks } from './interaction/asked.ts'
import { createInteractions } from './interaction/router.ts'
import { createBackchannelLogout } from './backchannel-logout.ts'
import { createKeyring } from './keyring.ts'
import { createParallelUses } from './token/parallel-uses.ts'
import { createPresence } from './token/presence.ts'
import { cookieOptions, createProvider } from './provider.ts'
import { reshape } from './responses.ts'
import { createSessions } from './session.ts'
import type { Sessions } from './session.ts'
import { newExchange, takeTurn } from './turn.ts'
import type { Turn } from './turn.ts'

export interface AuthorizationServerPorts {
  authUrl: string
  database: Database
  deriveSecret: Ports['deriveSecret']
  guesses: Guesses
  now(): Date
  /** Notes the use of a grant, later and elsewhere. */
  noteUse(grantId: string, lastUsedAt: Date | null): void
  report(error: unknown, requestId?: string): void
}

export interface AuthorizationServer {
  router: Router
  /** What browsers hold, which the account site shares. */
  sessions: Sessions
  /** Gives a request a turn: whatever asks for sessions is under one. */
  turn: RequestHandler
  /** Who asks a person to sign in, where `path` is that of an interaction; else null. */
  whoAsks(path: string): ReturnType<typeof whoAsks>
  /** Has the clients told of sessions that ended elsewhere. */
  sessionsEnded: Ports['sessionsEnded']
  /** Has the keys at hand; throws in one line for the operator where SECRET_KEY does not open them. */
  ready(): Promise<void>
  /** Writes what is still noted and lets go of the database, once no request is under way. */
  close(): Promise<void>
}

interface Built {
  fingerprint: string
  provider: Provider
  callback(request: Request, response: Response): Promise<void>
}

/** oidc-provider behind its endpoints. It is built anew when the keys change; all it knows is in the database. */
export function createAuthorizationServer(ports: AuthorizationServerPorts): AuthorizationServer {
  const { authUrl, database, deriveSecret, guesses, now, noteUse, report } = ports
  const presence = createPresence(database.pool)
  const keyring = createKeyring({ database, now, deriveSecret })
  const deliveries = createDeliveries(database, report)
  const answers = createAnswers({ database, deriveSecret, presence, now })
  const artifacts = createArtifacts(deriveSecret)
  const beginUse = createParallelUses()
  let built: Built | undefined

  async function current(): Promise<Built> {
    const { fingerprint, jwks } = await keyring.current()
    if (built?.fingerprint === fingerprint) return built
    const provider = createProvider(jwks, { authUrl, database, deriveSecret, artifacts, answers, now })
    reshape(provider, { authUrl, database, answers, deliveries, processId: presence.id, now, noteUse, report })
    limitGuesses(provider, guesses)
    const next = { fingerprint, provider, callback: provider.callback() }
    built = next
    return next
  }

  const provider = async () => (await current()).provider
  const backchannelLogout = createBackchannelLogout({ provider, report })
  const cookie = { name: sessionCookie(authUrl), options: cookieOptions(authUrl) }
  const arrival = createArrival(now)
  const turn: RequestHandler = (request, response, next) => {
    const exchange = request.path === endpoints.token.path ? newExchange(beginUse()) : null
    if (exchange) response.once('close', exchange.use.end)
    const own: Turn = { arrivedAt: arrival(), ...seen(request), grants: new Map(), people: new Map(), read: new Set(), exchange }
    // A request has arrived when its last byte has: one that keeps back what it presents was not there before.
    request.once('end', () => (own.arrivedAt = arrival()))
    takeTurn(own, next)
  }
  const ask: RequestHandler = async (request, response) => (await current()).callback(request, response)

  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, methods } of Object.values({ ...endpoints, ...derivedEndpoints })) router.all(path, allow(...methods), turn, ask)
  router.use(
    interactionPath,
    turn,
    createInteractions({ provider, database, deriveSecret, sessionCookie: sessionCookie(authUrl), authUrl, now, report }),
  )
  return {
    router,
    sessions: createSessions({ provider, database, cookie, now, sessionsEnded: backchannelLogout.send }),
    turn,
    whoAsks: async (path) => whoAsks(await provider(), database, path, now()),
    sessionsEnded: backchannelLogout.send,
    ready: async () => void (await current()),
    async close() {
      await backchannelLogout.close()
      await deliveries.close()
      await presence.close()
    },
  }
}

/** When a request arrived: all that one round of the event loop reads was there before the first of it was handled. */
function createArrival(now: () => Date): () => Date {
  let round: Date | null = null
  return () => {
    if (!round) setImmediate(() => (round = null))
    return (round ??= now())
  }
}

/** What people are told of the browsers they are signed in at. */
const seen = ({ ip = '', headers }: Request) => ({ address: ip, userAgent: (headers['user-agent'] ?? '').slice(0, 400) })
