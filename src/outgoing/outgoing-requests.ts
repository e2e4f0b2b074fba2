import { OutgoingError } from '../../schema/core/outgoing/outgoing.ts'
import type { Outgoing, OutgoingResponse } from '../../schema/core/outgoing/outgoing.ts'
import { brokenUrlRule } from '../../schema/core/outgoing/url-rules.ts'
import { listOutgoingHosts } from '../config/development.ts'
import { getErrorCode } from '../config/error-message.ts'
import type { Config } from '../config/settings.ts'
import type { HttpClient } from './http-client.ts'
import { createLookup, createTxtLookup, RefusedHostError } from './lookup.ts'

// Module for all requests to user-supplied URLs: webhooks, logout notifications and keys of issuers (docs/decisions/outgoing-requests.md).

interface OutgoingSettings {
  /** Names and addresses of private hosts to which requests may be sent, also by http. */
  outgoingAllowedHosts: readonly string[]
  /** Addresses of name servers, with ports; empty for those of the system. */
  dnsServers: readonly string[]
}

export interface OutgoingRequests extends Outgoing {
  /** The standard's `fetch` for libraries. It follows no redirect, and the response ends within a time limit. */
  fetch(input: string | URL | Request, options?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** Timeout in milliseconds of a library's request. */
const fetchTimeoutMilliseconds = 10_000

export function createOutgoingRequests({ outgoingAllowedHosts, dnsServers }: OutgoingSettings): OutgoingRequests {
  const allowedHosts = new Set(outgoingAllowedHosts)
  let client: Promise<HttpClient> | undefined

  /** Returns the client for a URL. An address in a URL is never looked up, so it is refused here; the lookup refuses names. */
  function clientFor(url: string): Promise<HttpClient> {
    const rule = brokenUrlRule(url, allowedHosts)
    if (rule !== null) throw new RefusedHostError(`the URL must ${rule}`)
    // The client is loaded with the first request, because most processes send none.
    client ??= import('./http-client.ts').then(({ createClient }) => createClient(createLookup({ allowedHosts, dnsServers })))
    return client
  }

  return {
    txtRecords: createTxtLookup(dnsServers),
    brokenRule: (url) => brokenUrlRule(url, allowedHosts),
    async send({ url, method, headers: ownHeaders, body = '', timeoutMilliseconds, maxBytes, acceptsCutBody = false }) {
      const signal = AbortSignal.timeout(timeoutMilliseconds)
      try {
        const { agent, request, userAgent } = await clientFor(url)
        const headers = { 'user-agent': userAgent, ...ownHeaders }
        const response = await request(url, { method, headers, body: method === 'GET' ? null : body, signal, dispatcher: agent })
        const start = await readStart(response.body, maxBytes, acceptsCutBody)
        return { status: response.statusCode, headers: response.headers, ...start }
      } catch (error) {
        throw outgoingError(error, timeoutMilliseconds)
      }
    },
    async fetch(input, options = {}) {
      const url = input instanceof Request ? input.url : String(input)
      const { agent, fetch } = await clientFor(url)
      const limit = AbortSignal.timeout(fetchTimeoutMilliseconds)
      const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
      const guarded = { ...options, signal, redirect: 'manual', dispatcher: agent }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici declares the standard's types once more
      return (fetch as unknown as (url: string, options: object) => Promise<Response>)(url, guarded)
    },
    async close() {
      await (await client)?.agent.destroy()
    },
  }
}

/** Reads the beginning of a body and ends the response. */
async function readStart(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  acceptsCutBody: boolean,
): Promise<Pick<OutgoingResponse, 'body' | 'isComplete'>> {
  const chunks: Uint8Array[] = []
  let length = 0
  let isCut = false
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      // Leaving the loop destroys the body.
      if (length > maxBytes) break
    }
  } catch (error) {
    if (!acceptsCutBody) throw error
    isCut = true
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'), isComplete: !isCut && length <= maxBytes }
}

/** Outgoing requests as the settings allow them, for the service and for commands. */
export const createConfiguredRequests = (config: Config): OutgoingRequests =>
  createOutgoingRequests({ ...config, outgoingAllowedHosts: listOutgoingHosts(config) })

const closed = 'The connection was closed before there was a response.'
const notAccepted = 'The connection was not accepted within 5 seconds.'
const unreachable = 'The host cannot be reached.'
const selfSigned = 'The certificate is self-signed.'
const unverified = 'The certificate cannot be verified: the server must also send the intermediate certificates.'

/** Explanations of the error codes of Node, c-ares, OpenSSL and undici, for the person who entered the URL. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: notAccepted,
  UND_ERR_CONNECT_TIMEOUT: notAccepted,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: 'The name of the host is unknown.',
  ENODATA: 'The name of the host has no address.',
  ESERVFAIL: 'The name servers of the host have a fault.',
  ETIMEOUT: 'The name servers of the host do not answer.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unverified,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unverified,
  UND_ERR_HEADERS_OVERFLOW: 'The header fields of the response are too large.',
}

/** Describes the reason why a request has no response. Returns an error without a code, which is one of this program, unchanged. */
function outgoingError(error: unknown, timeoutMilliseconds: number): unknown {
  const message = formatMessage(error, timeoutMilliseconds)
  return message === null ? error : new OutgoingError(message, { cause: error })
}

function formatMessage(error: unknown, timeoutMilliseconds: number): string | null {
  if (error instanceof RefusedHostError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `There was no complete response within ${timeoutMilliseconds / 1000} seconds.`
  if (error instanceof Error && error.name === 'HTTPParserError') return 'The response is not one of HTTP.'
  const code = getErrorCode(error)
  return code === undefined ? null : (meanings[code] ?? `The request failed (${code}).`)
}
