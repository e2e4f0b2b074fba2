import { AsyncLocalStorage } from 'node:async_hooks'
import type { Request, RequestHandler, Response } from 'express'
import { isUnavailable } from '../../prisma/connection/availability.ts'
import { endpoints } from './provider/endpoints.ts'
import { noRows } from './storage/read-rows.ts'
import type { ReadRows } from './storage/read-rows.ts'
import type { TokenRequest } from './token/token-request.ts'

/** Data about one request to the authorization server. */
export interface RequestContext {
  browser: Browser
  rows: ReadRows
  /** The token request; null at other endpoints. */
  tokenRequest: TokenRequest | null
  /** The error by which the database became unavailable during this request. */
  unavailable?: unknown
}

/** IP address and `User-Agent`, which users see in the list of their sessions. */
export interface Browser {
  address: string
  userAgent: string
}

declare global {
  namespace Express {
    interface Locals {
      /** Set by `withRequestContext`. */
      oauth?: RequestContext
    }
  }
}

const storage = new AsyncLocalStorage<RequestContext>()

/** Assigns a context to a request and everything that it starts. */
export const withRequestContext: RequestHandler = (request, response, next) => {
  const isTokenRequest = request.path === endpoints.token.path
  const context: RequestContext = {
    browser: readBrowser(request),
    rows: noRows(),
    tokenRequest: isTokenRequest
      ? { presented: null, identity: null, vouched: null, machineId: null, newModels: [], replayedResponse: null }
      : null,
  }
  response.locals.oauth = context
  storage.run(context, next)
}

export const readBrowser = ({ ip = '', headers }: Request): Browser => ({
  address: ip,
  userAgent: (headers['user-agent'] ?? '').slice(0, 400),
})

/** Returns the response of Express for a context of oidc-provider. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the provider is mounted in an Express application
export const expressResponse = ({ res }: { res: object }): Response => res as Response

/** Returns the context of a request to oidc-provider. */
export const getRequestContext = (ctx: { res: object }): RequestContext => existing(expressResponse(ctx).locals.oauth)

/** Returns the context for the storage adapters, which oidc-provider calls without one. Nothing else needs it. */
export const requestInProgress = (): RequestContext => existing(storage.getStore())

function existing(context: RequestContext | undefined): RequestContext {
  if (!context) throw new Error('the authorization server was called outside of a request')
  return context
}

/**
 * Runs a query, unless the database was unavailable to an earlier query of this request; then it fails with the same error. Each failing
 * query takes until its time-out, and the client must get its response within 3 seconds.
 */
export async function queryUnlessUnavailable<Result>(context: RequestContext, query: () => Promise<Result>): Promise<Result> {
  if (context.unavailable !== undefined) throw context.unavailable
  try {
    return await query()
  } catch (error) {
    if (isUnavailable(error)) context.unavailable = error
    throw error
  }
}
