import { Router } from 'express'
import type { Request, RequestHandler, Response } from 'express'
import type { Configuration, Provider } from 'oidc-provider'
import type { Database } from '../../prisma/connection/database.ts'
import type { Ports } from '../../schema/core/ports.ts'
import { parsePublicKeys } from '../../schema/oauth/public-keys.ts'
import { createDocumentCache } from '../../schema/core/outgoing/document-cache.ts'
import { createIssuerKeys } from '../../schema/workload-identities/assertions/issuer-keys.ts'
import { allow } from '../http/allowed-methods.ts'
import { findMachineCredential } from '../auth/machine-credential.ts'
import { sessionCookie } from '../auth/session-credential.ts'
import { interactionPath } from '../web/page-paths.ts'
import type { AttemptLimits } from '../auth/attempt-limits.ts'
import type { Sessions } from '../auth/sessions.ts'
import { createClientRegistration } from './client-registration.ts'
import { createAssertionCheck } from './token/assertion-check.ts'
import { createTokenStore } from './token/token-store.ts'
import { createModelEncoding } from './storage/model-encoding.ts'
import { createClientCredentials } from './direct/client-credentials.ts'
import { createIntrospection } from './direct/direct-introspection.ts'
import { createJwtBearer } from './direct/direct-jwt-bearer.ts'
import { createUserInfo } from './direct/userinfo.ts'
import { derivedEndpoints, endpoints } from './provider/endpoints.ts'
import { limitAttempts, limitTokenRequests } from './oauth-attempt-limits.ts'
import { createFailureLog } from './failures/failure-log.ts'
import { recordFailures } from './failures/record-failures.ts'
import { findPendingClient } from './interaction/interaction-client.ts'
import type { PendingClient } from './interaction/interaction-client.ts'
import { createFormErrorHandler, createInteractionRouter } from './interaction/interaction-router.ts'
import { readForm, redirectToGet } from './authorization-by-post.ts'
import { createBackchannelLogout } from './backchannel-logout.ts'
import { createKeyring } from './keyring.ts'
import { cookieOptions, createProvider } from './provider/provider.ts'
import { customizeResponses } from './provider/responses.ts'
import { createMetadataClients } from './metadata-clients/metadata-clients.ts'
import { createResourceMetadata } from './resource-metadata.ts'
import { createSessions } from './oidc-sessions.ts'
import { withRequestContext } from './request-context.ts'

export interface AuthorizationServerPorts extends Pick<Ports, 'brandName' | 'clientMetadataDocuments' | 'clientRegistration'> {
  authUrl: string
  database: Database
  deriveSecret: Ports['deriveSecret']
  /** Adds a mail to the outbox within a transaction. */
  sendMail: Ports['sendMail']
  attemptLimits: AttemptLimits
  /** Days from the sign-in to the end of a session. */
  sessionDaysMax: number
  /** Sends requests to URLs that clients registered. */
  fetch: NonNullable<Configuration['fetch']>
  outgoing: Pick<Ports['outgoing'], 'send' | 'brokenRule'>
  now(): Date
  /** Days for which a sign-in through a provider that a team requires is valid. */
  providerSignInDays: number
  /** Records in the background the use of a grant or, for a session, the activity of its user. */
  recordUse(id: string, lastUsedAt: Date | null): void
  /** Counts a request for a token, or with an initial access token, by the internal key of its sender; throws `rate_limited`. */
  countTokenRequest(machineId: string): Promise<void>
  report(error: unknown, requestId?: string): void
}

export interface AuthorizationServer {
  router: Router
  /** The browser sessions, which the account site shares. */
  sessions: Sessions
  /** Middleware that gives a request a context of the authorization server. Everything that uses `sessions` needs it. */
  withRequestContext: RequestHandler
  /** Returns the client that waits for a sign-in in this browser, if `path` is that of its interaction; otherwise null. */
  requestingClient(request: Request, response: Response, path: string): Promise<PendingClient | null>
  /** Notifies clients of sessions that ended outside of the authorization server. */
  sessionsEnded: Ports['sessionsEnded']
  /** Loads the signing keys. Throws a one-line error for the operator if SECRET_KEY does not decrypt them. */
  ready(): Promise<void>
  /** Finishes background work and releases the database. Call it when no request is in progress. */
  close(): Promise<void>
}

interface CurrentProvider {
  fingerprint: string
  provider: Provider
  callback(request: Request, response: Response): Promise<void>
}

/** Mounts oidc-provider at its endpoints. The provider is created again when the signing keys change; it has no other state. */
export function createAuthorizationServer(ports: AuthorizationServerPorts): AuthorizationServer {
  const {
    authUrl,
    database,
    deriveSecret,
    sendMail,
    brandName,
    clientRegistration,
    attemptLimits,
    sessionDaysMax,
    fetch,
    outgoing,
    clientMetadataDocuments,
    now,
    providerSignInDays,
    recordUse,
    countTokenRequest,
    report,
  } = ports
  const keyring = createKeyring({ database, now, deriveSecret })
  const tokenStore = createTokenStore({ database, deriveSecret, sendMail, now, report })
  const keySets = createDocumentCache({ outgoing, now }, parsePublicKeys)
  const prepareMetadataClient = createMetadataClients(ports, attemptLimits.clientDocument)
  const modelEncoding = createModelEncoding(deriveSecret)
  const failureLog = createFailureLog(database, now, report)
  const assertions = createAssertionCheck({ ...ports, issuerKeys: createIssuerKeys({ outgoing, now }) })
  let current: CurrentProvider | undefined

  async function currentProvider(): Promise<CurrentProvider> {
    const { fingerprint, jwks } = await keyring.current()
    if (current?.fingerprint === fingerprint) return current
    const provider = createProvider(jwks, {
      authUrl,
      database,
      deriveSecret,
      sendMail,
      modelEncoding,
      assertions,
      tokenStore,
      attemptLimits,
      keySets,
      clientRegistration,
      clientMetadataDocuments,
      prepareMetadataClient,
      sessionDaysMax,
      fetch,
      now,
      providerSignInDays,
      recordUse,
      limitTokenRequest: () => limitTokenRequests(countTokenRequest),
    })
    const findMachine = (token: string) => findMachineCredential(database.pool, token, now())
    customizeResponses(provider, { authUrl, database, tokenStore, recordUse, findMachine, now, providerSignInDays, report })
    limitAttempts(provider, attemptLimits)
    recordFailures(provider, failureLog)
    const next = { fingerprint, provider, callback: provider.callback() }
    current = next
    return next
  }

  const provider = async () => (await currentProvider()).provider
  const backchannelLogout = createBackchannelLogout({ provider, report })
  const cookie = { name: sessionCookie(authUrl), options: cookieOptions(authUrl) }
  const handleWithProvider: RequestHandler = async (request, response) => (await currentProvider()).callback(request, response)

  const machinePorts = { database, now, countTokenRequest, report }
  const directHandlers = new Map<string, RequestHandler | RequestHandler[]>([
    [endpoints.userinfo.path, createUserInfo({ database, now, report })],
    [endpoints.introspection.path, createIntrospection({ authUrl, database, now, providerSignInDays, report })],
    [endpoints.registration.path, createClientRegistration({ authUrl, sendMail, brandName, clientRegistration, ...machinePorts })],
    [endpoints.token.path, [createClientCredentials(machinePorts), createJwtBearer({ ...machinePorts, assertions })]],
  ])
  const router = Router({ caseSensitive: true, strict: true })
  router.post(endpoints.authorization.path, readForm, redirectToGet, createFormErrorHandler(report))
  for (const { path, methods } of Object.values({ ...endpoints, ...derivedEndpoints }))
    router.all(path, allow(...methods), withRequestContext, directHandlers.get(path) ?? [], handleWithProvider)
  router.use(
    interactionPath,
    withRequestContext,
    createInteractionRouter({
      provider,
      database,
      deriveSecret,
      sendMail,
      sessionCookie: sessionCookie(authUrl),
      authUrl,
      now,
      providerSignInDays,
      failureLog,
      report,
    }),
  )
  router.use(createResourceMetadata(authUrl))
  return {
    router,
    sessions: createSessions({ sessionDaysMax, provider, database, cookie, now, sessionsEnded: backchannelLogout.send }),
    withRequestContext,
    requestingClient: async (request, response, path) =>
      findPendingClient({ authUrl, deriveSecret, database, now, sessionCookie: cookie.name }, await provider(), request, response, path),
    sessionsEnded: backchannelLogout.send,
    async ready() {
      await currentProvider()
    },
    async close() {
      await backchannelLogout.close()
      await tokenStore.close()
      await failureLog.close()
    },
  }
}
