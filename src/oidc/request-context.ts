import { AsyncLocalStorage } from 'node:async_hooks'
import { isUnavailable } from '../../prisma/connection/availability.ts'
import type { StoredGrant, StoredModel, StoredUser } from './storage/live-grants.ts'

/** An instance of an oidc-provider model, as it is inserted. */
export interface NewModel {
  /** SHA-256 of the value, in hex. */
  hash: string
  kind: string
  payload: object
  expires_at: Date
}

/** The authorization code, device code or refresh token that a token request presents. */
export interface PresentedToken {
  /** The value as the client sent it. */
  value: string
  hash: Buffer
  grant: StoredGrant | null
  /** The chain that it belongs to. Null for a device code on which no user has decided. */
  chainId: string | null
  /** True for a code, false for a refresh token. */
  isCode: boolean
}

/**
 * A request to the token endpoint. The models it consumes and creates are collected here and written by one statement once
 * the response is known: either all of them are written or none, and of several requests with one value only one succeeds.
 */
export interface TokenRequest {
  presented: PresentedToken | null
  newModels: NewModel[]
  /** The stored response to an earlier request, if this request gets the same one. */
  replayedResponse: object | null
}

/** What is known about one request to the authorization server. Rows are cached here so that none is read twice. */
export interface RequestContext {
  requestId: string
  /** IP address and `User-Agent`, which users see in the list of their sessions. */
  address: string
  userAgent: string
  grants: Map<string, StoredGrant>
  users: Map<string, StoredUser>
  /** Sessions (by `uid`) and interactions that were read. Writing them must not create them again if they have ended since. */
  readModels: Set<string>
  /** Null at other endpoints. */
  tokenRequest: TokenRequest | null
  /** The code or refresh token that was read in the same statement as the client. */
  readWithClient?: { kind: string; value: string; model: StoredModel | null }
  /** The error with which the database became unavailable during this request. */
  unavailable?: unknown
}

const storage = new AsyncLocalStorage<RequestContext>()

/** Runs `work`, and everything it starts, with this request context. */
export const runWithRequestContext = (context: RequestContext, work: () => void): void => storage.run(context, work)

/** Returns the context of the request in progress. */
export function requestContext(): RequestContext {
  const context = storage.getStore()
  if (!context) throw new Error('the authorization server was called outside of a request')
  return context
}

/**
 * Runs a query, unless the database was unavailable to an earlier query of this request; then it fails with the same error.
 * Each failing query takes until its time-out, and the client gets its response within 3 seconds.
 */
export async function queryUnlessUnavailable<Result>(query: () => Promise<Result>): Promise<Result> {
  const context = requestContext()
  if (context.unavailable !== undefined) throw context.unavailable
  try {
    return await query()
  } catch (error) {
    if (isUnavailable(error)) context.unavailable = error
    throw error
  }
}
