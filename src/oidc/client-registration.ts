import type { Request, RequestHandler, Response } from 'express'
import { isBearer, readBearerToken } from '../../rest-facade/http/bearer.ts'
import { HttpError } from '../../rest-facade/http/http-error.ts'
import { readJson } from '../../rest-facade/http/json-body.ts'
import { httpProblem } from '../../rest-facade/http/problem.ts'
import { findInitialAccess, registerByToken } from '../../schema/agents/register-by-token.ts'
import { asRefusal, DomainError, isFault, unauthenticated } from '../../schema/core/errors.ts'
import { observe } from '../../schema/core/observation/observation.ts'
import type { Ports } from '../../schema/core/ports.ts'
import { describeMetadataErrors, writeClientMetadata } from '../../schema/oauth/clients/client-metadata.ts'
import { recordPrincipal } from '../http/logging/current-request.ts'

export interface RegistrationPorts extends Pick<Ports, 'authUrl' | 'database' | 'now' | 'sendMail' | 'brandName' | 'clientRegistration'> {
  /** Counts the request towards the limit of its token, by the identifier of the token; throws `rate_limited`. */
  countTokenRequest(tokenId: string): Promise<void>
  report(error: unknown, requestId?: string): void
}

// The endpoint authenticates by a token in the header field only, so pages of any origin can use it.
const fields = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After',
  'Cache-Control': 'no-store',
}
const preflightFields = { 'Access-Control-Allow-Methods': 'POST', 'Access-Control-Allow-Headers': 'Authorization, Content-Type' }

/** Registers clients of a team by an initial access token (RFC 7591, docs/decisions/clients.md#registration-by-software). */
export function createClientRegistration(ports: RegistrationPorts): RequestHandler {
  const { database, now, countTokenRequest, clientRegistration } = ports

  async function register(request: Request, response: Response): Promise<object> {
    if (clientRegistration === 'closed') throw new RegistrationError(403, 'access_denied', 'teams cannot register clients at this service')
    const access = await findInitialAccess(database.pool, readBearerToken(request.headers.authorization) ?? '', now())
    if (!access) throw unauthenticated()
    recordPrincipal(access.actor)
    await countTokenRequest(access.actor.credentialId)
    const metadata = await readJson(request, response)
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
      throw new HttpError(400, 'The request body must be a JSON object.')
    const { client, clientSecret, registration } = await registerByToken(ports, response.locals.requestId, access, metadata)
    return {
      client_id: client.clientId,
      client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
      ...(clientSecret !== null && { client_secret: clientSecret, client_secret_expires_at: 0 }),
      ...writeClientMetadata(registration),
    }
  }

  return async (request, response) => {
    response.set(fields)
    if (request.method === 'OPTIONS') return void response.set(preflightFields).status(204).end()
    try {
      response.status(201).json(await register(request, response))
    } catch (cause) {
      const error = toRegistrationError(cause, request, ports, response.locals.requestId)
      observe('refusal', { api: 'oauth', code: error.code })
      response.set(error.headers).status(error.status)
      response.json({ error: error.code, error_description: error.message })
    }
  }
}

/** An error response (RFC 7591 §3.2.2). */
class RegistrationError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, description: string, headers = {}) {
    super(description)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** Returns the response to an error. Reports the errors that the caller did not cause. */
function toRegistrationError(error: unknown, { headers }: Request, ports: RegistrationPorts, requestId: string): RegistrationError {
  const cause = asRefusal(error)
  if (cause instanceof RegistrationError) return cause
  if (cause instanceof HttpError) {
    const { message } = httpProblem(cause.status, requestId, cause.message || undefined).body
    return new RegistrationError(cause.status, 'invalid_client_metadata', String(message))
  }
  if (!(cause instanceof DomainError) || isFault(cause)) ports.report(error, requestId)
  if (!(cause instanceof DomainError)) return new RegistrationError(500, 'server_error', 'the service failed')
  const { code, details } = cause
  const retry = details.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(details.retryAfterSeconds) }
  if (isFault(cause)) return new RegistrationError(503, 'temporarily_unavailable', 'the service cannot answer now', retry)
  if (code === 'rate_limited') return new RegistrationError(429, 'temporarily_unavailable', cause.message, retry)
  if (code === 'validation_failed') {
    const { error: name, error_description } = describeMetadataErrors(details.templates ?? {})
    return new RegistrationError(400, name, error_description)
  }
  // The team may have been deleted since the token was found.
  const challenge = `Bearer realm="${ports.authUrl}"${isBearer(headers.authorization) ? ', error="invalid_token"' : ''}`
  return new RegistrationError(401, 'invalid_token', 'the initial access token is missing, unknown or expired', {
    'WWW-Authenticate': challenge,
  })
}
