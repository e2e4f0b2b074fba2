import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { ParsedUrlQuery } from 'node:querystring'
import type { Request } from 'express'

/** Credentials that a client sends by HTTP Basic (RFC 6749 §2.3.1). */
export interface BasicCredentials {
  clientId: string
  secret: string
}

// Header fields for which oidc-provider does more, or refuses the request.
const unusualFields = ['origin', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop', 'transfer-encoding']

/** Returns true if oidc-provider would read more of a request than its form. */
export const isUnusual = ({ method, url, headers }: Request): boolean =>
  method !== 'POST' || url.includes('?') || unusualFields.some((name) => headers[name] !== undefined)

/**
 * Returns the contents of a request that consists of HTTP Basic authentication and a form, and leaves the form in the request for
 * oidc-provider. Null for other requests.
 */
export async function basicRequest(request: Request): Promise<{ client: BasicCredentials; form: ParsedUrlQuery } | null> {
  if (isUnusual(request)) return null
  const client = basicCredentials(request.headers.authorization)
  const form = client && (await peekForm(request))
  return form ? { client, form } : null
}

/** Returns credentials in their canonical form, without escaped characters. */
function basicCredentials(authorization = ''): BasicCredentials | null {
  const [, encoded = ''] = /^Basic ([\w+/=]+)$/i.exec(authorization) ?? []
  const decoded = Buffer.from(encoded, 'base64')
  const [, clientId, secret] = /^([\w.~-]+):([\w.~-]+)$/.exec(decoded.toString()) ?? []
  if (clientId === undefined || secret === undefined || decoded.toString('base64') !== encoded) return null
  return { clientId, secret }
}

// oidc-provider refuses longer bodies from 56 KB on without reading them. Node must then discard the unread part.
const maxBytes = 4096
const formType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

/**
 * Reads the form of a request, as oidc-provider parses it, and leaves the body in the request, so that oidc-provider can read it
 * again. Returns null for a body that is not a form, is long or arrives in several pieces.
 */
export async function peekForm(request: IncomingMessage): Promise<ReturnType<typeof parse> | null> {
  const { 'content-type': type, 'content-length': length } = request.headers
  // Reading a request without a body would end the request.
  if (!(Number(length) > 0 && Number(length) <= maxBytes) || !formType.test(type ?? '')) return null
  const body = await peekBody(request)
  return body?.length === Number(length) ? parse(body.toString()) : null
}

/** Returns the first piece of the body; null if the client disconnects earlier. */
function peekBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const peek = () => {
      request.off('close', peek).off('readable', peek)
      const piece: unknown = request.read()
      // The piece is put back at once, because the stream would end after its last piece was read.
      if (piece instanceof Buffer) request.unshift(piece)
      resolve(piece instanceof Buffer ? piece : null)
    }
    request.on('readable', peek).on('close', peek)
  })
}
