import { OutgoingError } from '../../schema/core/outgoing/outgoing.ts'
import { codeOf } from '../config/error-message.ts'
import { RefusedHostError } from './lookup.ts'

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
export function outgoingError(error: unknown, timeoutMilliseconds: number): unknown {
  const message = messageOf(error, timeoutMilliseconds)
  return message === null ? error : new OutgoingError(message, { cause: error })
}

function messageOf(error: unknown, timeoutMilliseconds: number): string | null {
  if (error instanceof RefusedHostError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `There was no complete response within ${timeoutMilliseconds / 1000} seconds.`
  if (error instanceof Error && error.name === 'HTTPParserError') return 'The response is not one of HTTP.'
  const code = codeOf(error)
  return code === undefined ? null : (meanings[code] ?? `The request failed (${code}).`)
}
