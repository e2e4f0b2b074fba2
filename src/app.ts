import express from 'express'
import type { ErrorRequestHandler, Express, RequestHandler, Router } from 'express'
import type { Logger } from 'pino'
import type { OpenDatabase } from '../prisma/connection/database.ts'
import { httpProblem } from '../rest-facade/http/problem.ts'
import type { Authenticate } from '../rest-facade/http/bearer.ts'
import { sendProblem, setCollectedFields } from '../rest-facade/http/send.ts'
import { createDocumentRouter } from '../rest-facade/openapi/document-router.ts'
import { createRestFacade } from '../rest-facade/router.ts'
import { routes } from '../rest-facade/routes/index.ts'
import type { BrowserSession } from '../schema/core/browser-session.ts'
import type { Context } from '../schema/core/context.ts'
import type { Ports } from '../schema/core/ports.ts'
import type { Tracer } from '../schema/core/observation/tracing.ts'
import { createAssets } from './web/assets.ts'
import { createPictures } from './web/pictures.ts'
import { buildBrand } from './web/brand/brand.ts'
import type { BrandSettings } from './web/brand/brand.ts'
import { createApiReference } from './api-reference/router.tsx'
import { createAccountSite } from './account-site/site-router.ts'
import type { AuthenticateSession } from './auth/session-credential.ts'
import { createAuthenticateSession } from './auth/session-credential.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { compressed } from './http/compression.ts'
import { crossOrigin } from './http/cors.ts'
import { createGraphqlEndpoint } from './graphql/endpoint.ts'
import { createAttemptLimits } from './auth/attempt-limits.ts'
import type { AttemptLimitSettings } from './auth/attempt-limits.ts'
import { checkHost } from './http/host-check.ts'
import { createFailedSignInLog } from './auth/delayed-writes/failed-sign-in-log.ts'
import { createLastUsed } from './auth/delayed-writes/last-used.ts'
import { createAuthorizationServer } from './oidc/oidc-server.ts'
import { createRateLimit } from './auth/rate-limit.ts'
import { recordPrincipal } from './http/logging/current-request.ts'
import { createErrorReport, createMissingFontReport } from './http/logging/error-report.ts'
import { requestLog } from './http/logging/request-log.ts'
import { strictTransportSecurity } from './http/hsts.ts'
import { createMcpRouter } from './mcp/mcp-router.ts'
import { createScim } from './scim/scim-router.ts'
import { createPorts } from './config/ports.ts'
import type { PortSettings } from './config/ports.ts'
import { secretDeriver } from './config/secret-key.ts'
import type { OutgoingRequests } from './outgoing/outgoing-requests.ts'
import { createTeamChanges } from './database/team-changes.ts'

/** The part of the configuration that the HTTP application needs. */
export interface AppSettings extends AttemptLimitSettings, BrandSettings, PortSettings {
  flowBaseUrl: string | undefined
  secretKey: string
  secretKeyPrevious?: string | undefined
  trustProxy: boolean | number | string
  /** Requests per credential and minute; 0 for no limit. */
  rateLimitApi: number
  /** Days from the sign-in to the end of a session. */
  sessionDaysMax: number
  /** File of a manifest whose documents are the only ones that `/graphql` executes. */
  trustedDocuments?: string | undefined
}

export interface AppParts {
  config: AppSettings
  database: OpenDatabase
  log: Logger
  sendMail: Ports['sendMail']
  outgoing: OutgoingRequests
  /** Measures requests; absent without METRICS_PORT. */
  observeRequest?: RequestHandler | undefined
  /** Serves stored mails. It is absent if others can reach the service. */
  mailbox?: Router | undefined
  tracer?: Tracer | undefined
  now?: () => Date
  /** True to throw if a REST response does not match its route's declaration. For tests. */
  strict?: boolean
  /** Interval at which an event stream sends a comment to stay open, and the process looks for changes without a notification. */
  streamIntervalMilliseconds?: number
}

export interface App {
  handler: Express
  /** Prepares resources for which the first request would otherwise wait, and fails if it cannot. */
  ready(): Promise<void>
  /** Ends the event streams, so that their clients connect to another process. Call it when the process accepts no more connections. */
  endStreams(): void
  /** Writes buffered data. Call it when no request is in progress. */
  close(): Promise<void>
}

/** Mounts each part in order. */
export function createApp(parts: AppParts): App {
  const {
    config,
    database,
    log,
    sendMail,
    outgoing,
    mailbox,
    tracer,
    now = () => new Date(),
    strict = false,
    streamIntervalMilliseconds = 5000,
  } = parts
  const report = createErrorReport(log)
  const lastUsed = createLastUsed(database, now, report)
  const failedSignIns = createFailedSignInLog(database, now, report)
  const publicUrls = [config.authUrl, ...(config.flowBaseUrl ? [config.flowBaseUrl] : [])]
  const findPrincipal = createAuthenticate({ database, now, authUrl: config.authUrl, publicUrls, recordUse: lastUsed.record })
  const authenticate: Authenticate = async (...parameters) => recordPrincipal(await findPrincipal(...parameters))
  const rateLimit = config.rateLimitApi > 0 ? createRateLimit({ database, now, report, quota: config.rateLimitApi }) : null
  const commonPorts = createPorts({
    config,
    database,
    now,
    sendMail,
    outgoing,
    deriveSecret: secretDeriver(config.secretKey, config.secretKeyPrevious),
    providerFailed: (failure) => log.warn(failure, 'identity provider cannot be used'),
    signInFailed: failedSignIns.record,
  })
  const attemptLimits = createAttemptLimits({ database, deriveSecret: commonPorts.deriveSecret, limits: config })
  const authorizationServer = createAuthorizationServer({
    ...commonPorts,
    attemptLimits,
    fetch: outgoing.fetch,
    sessionDaysMax: config.sessionDaysMax,
    recordUse: lastUsed.record,
    countTokenRequest: rateLimit?.countTokenRequest ?? (() => Promise.resolve()),
    report,
  })
  const ports: Ports = { ...commonPorts, tracer, sessionsEnded: authorizationServer.sessionsEnded }
  const createContext = (principal: Context['principal'], requestId: string, browser: BrowserSession | null = null): Context => ({
    ...ports,
    principal,
    requestId,
    browser,
  })

  const { sessions, withRequestContext, requestingClient } = authorizationServer
  const findSessionPrincipal = createAuthenticateSession({ database, sessions, now, recordUse: lastUsed.record })
  const authenticateSession: AuthenticateSession = async (...parameters) => recordPrincipal(await findSessionPrincipal(...parameters))
  const siteSettings = { brand: buildBrand(config), reportMissingFont: createMissingFontReport(log) }
  const site = { ...ports, ...siteSettings, attemptLimits, sessions, requestingClient, createContext, report }

  const { look, assets } = createAssets(config)
  const handler = express()
  handler.disable('x-powered-by')
  handler.disable('etag')
  handler.locals.look = look
  handler.set('trust proxy', config.trustProxy)
  if (parts.observeRequest) handler.use(parts.observeRequest)
  handler.use(requestLog(log, tracer))
  handler.use(strictTransportSecurity(config.authUrl))
  if (rateLimit) handler.use(rateLimit.announce)
  handler.use(checkHost(publicUrls))
  handler.use(crossOrigin, compressed)
  // The API is first, so that the most frequent requests pass no other router.
  const countRequest = rateLimit?.count ?? (() => ({}))
  const facade = { authenticate, countRequest, createContext, publicUrl: config.authUrl, report, strict }
  handler.use('/api', createRestFacade(routes, facade))
  handler.use('/scim/v2', createScim(facade))
  handler.use('/mcp', createMcpRouter(facade))
  handler.use(setCollectedFields)
  handler.use(authorizationServer.router)
  handler.use(assets, createPictures(ports))
  const addresses = { publicUrl: config.authUrl, flowBaseUrl: config.flowBaseUrl }
  handler.use('/api', createDocumentRouter(addresses))
  handler.use(createApiReference(addresses, config.brandColor))
  const teamChanges = createTeamChanges({ database, intervalMilliseconds: streamIntervalMilliseconds, report })
  const streaming = { watchTeam: teamChanges.watchTeam, intervalMilliseconds: streamIntervalMilliseconds }
  const { authUrl, trustedDocuments } = config
  const graphql = createGraphqlEndpoint({ ...facade, ...streaming, now, authenticateSession, authUrl, trustedDocuments })
  handler.use('/graphql', withRequestContext, graphql.router)
  if (mailbox) handler.use('/dev/mail', mailbox)
  handler.use(
    createAccountSite({
      saml: site,
      site: { ...site, hasGraphiql: trustedDocuments === undefined, recordLastTeam: lastUsed.recordTeam },
      withRequestContext,
      authenticateSession,
    }),
  )
  handler.use((_, response) => sendProblem(response, httpProblem(404, response.locals.requestId)))
  handler.use(((error, _, response, next) => {
    const { requestId } = response.locals
    // Express throws this error for a path that cannot be decoded, so there is no such resource.
    if (error instanceof URIError) return sendProblem(response, httpProblem(404, requestId))
    report(error, requestId)
    if (response.headersSent) return next(error)
    sendProblem(response, httpProblem(500, requestId))
  }) satisfies ErrorRequestHandler)
  return {
    handler,
    ready: authorizationServer.ready,
    endStreams: graphql.endStreams,
    async close() {
      teamChanges.close()
      await Promise.all([lastUsed.close(), failedSignIns.close(), rateLimit?.close()])
      await authorizationServer.close()
    },
  }
}
