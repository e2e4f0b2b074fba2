import express from 'express'
import type { ErrorRequestHandler, Express, Router } from 'express'
import type { Logger } from 'pino'
import type { Database } from '../prisma/client.ts'
import { createDocumentation } from '../rest-facade/documentation.ts'
import { httpProblem } from '../rest-facade/problem.ts'
import { createRestFacade, sendProblem } from '../rest-facade/router.ts'
import type { Context, Ports, Principal } from '../schema/context.ts'
import { createAssets } from './account-site/assets.ts'
import { createAccountSite } from './account-site/router.ts'
import { createAuthenticateSession } from './authenticate-session.ts'
import { createAuthenticate } from './authenticate.ts'
import { crossOrigin } from './cross-origin.ts'
import { createGraphqlDoor } from './graphql/door.ts'
import { createGuesses } from './guesses.ts'
import type { GuessSettings } from './guesses.ts'
import { knownHost } from './host.ts'
import { createLastUsed } from './last-used.ts'
import { createAuthorizationServer } from './oidc/server.ts'
import { limited } from './rate-limit.ts'
import { requestLog } from './request.ts'
import { secretDeriver } from './secret-key.ts'

/** The settings this module needs; the service's configuration has them. */
export interface AppSettings extends GuessSettings {
  /** Public origin, without a slash at its end. */
  authUrl: string
  flowBaseUrl: string | undefined
  secretKey: string
  trustProxy: boolean | number | string
  /** Requests per credential and minute; 0 is no limit. */
  rateLimitApi: number
  invitationDays: number
  signUp: Ports['signUp']
}

export interface AppParts {
  config: AppSettings
  database: Database
  log: Logger
  /** Puts a mail in the outbox, within the transaction. */
  sendMail: Ports['sendMail']
  /** Where kept mails are read, outside production. */
  mailbox?: Router | undefined
  now?: () => Date
  /** Hold answers to what their routes declare; for tests. */
  strict?: boolean
}

export interface App {
  handler: Express
  /** Makes ready what the first request would otherwise wait for, or fail of. */
  ready(): Promise<void>
  /** Writes what is still gathered; for an orderly stop, once no request is under way. */
  close(): Promise<void>
}

/** Mounts each part in order. The ports of the schema are filled here and nowhere else. */
export function createApp({ config, database, log, sendMail, mailbox, now = () => new Date(), strict = false }: AppParts): App {
  const report = (error: unknown, requestId?: string) => log.error({ err: error, requestId }, 'fault')
  const lastUsed = createLastUsed(database, now, report)
  const publicUrls = [config.authUrl, ...(config.flowBaseUrl ? [config.flowBaseUrl] : [])]
  const authenticate = limited(createAuthenticate({ database, now, publicUrls, noteUse: lastUsed.note }), config.rateLimitApi)
  const ownPorts = {
    database,
    now,
    sendMail,
    deriveSecret: secretDeriver(config.secretKey),
    invitationDays: config.invitationDays,
    signUp: config.signUp,
    authUrl: config.authUrl,
  }
  const guesses = createGuesses({ database, deriveSecret: ownPorts.deriveSecret, limits: config })
  const authorizationServer = createAuthorizationServer({ ...ownPorts, guesses, noteUse: lastUsed.note, report })
  const ports: Ports = { ...ownPorts, sessionsEnded: authorizationServer.sessionsEnded }
  const contextOf = (principal: Principal | null, requestId: string): Context => ({ ...ports, principal, requestId })

  const { sessions, turn, whoAsks } = authorizationServer
  const authenticateSession = createAuthenticateSession({ authUrl: config.authUrl, database, sessions, now })
  const site = { ...ports, guesses, sessions, whoAsks, contextOf, report }

  const handler = express()
  handler.disable('x-powered-by')
  handler.disable('etag')
  handler.set('trust proxy', config.trustProxy)
  handler.use(requestLog(log))
  handler.use(knownHost(publicUrls))
  handler.use(crossOrigin)
  // First: what is asked most passes by no other route.
  handler.use('/api', createRestFacade({ authenticate, contextOf, publicUrl: config.authUrl, realm: config.authUrl, report, strict }))
  handler.use(authorizationServer.router)
  handler.use(createAssets())
  handler.use('/api', createDocumentation({ publicUrl: config.authUrl, flowBaseUrl: config.flowBaseUrl }))
  const ofGraphql = { authenticate, authenticateSession: limited(authenticateSession, config.rateLimitApi), authUrl: config.authUrl }
  handler.use('/graphql', turn, createGraphqlDoor({ ...ofGraphql, contextOf, realm: config.authUrl, report }))
  if (mailbox) handler.use('/dev/mail', mailbox)
  handler.use(createAccountSite({ site, turn, authenticateSession }))
  handler.use((_, response) => sendProblem(response, httpProblem(404, response.locals.requestId as string)))
  handler.use(((error, _, response, next) => {
    const { requestId } = response.locals as { requestId: string }
    // A path that cannot be decoded names nothing.
    if (error instanceof URIError) return sendProblem(response, httpProblem(404, requestId))
    report(error, requestId)
    if (response.headersSent) return next(error)
    sendProblem(response, httpProblem(500, requestId))
  }) satisfies ErrorRequestHandler)
  return {
    handler,
    ready: authorizationServer.ready,
    async close() {
      await lastUsed.close()
      await authorizationServer.close()
    },
  }
}
