import { codeOf, messageOf } from '../config/error-message.ts'

/** The message of a connection error, with a hint at the cause if the text alone does not name it. */
export function connectionMessage(error: unknown): string {
  const message = messageOf(error)
  if (/^(?:unsupported startup parameter|prepared statement)/.test(message)) {
    return `${message}: this is a connection pooler, which also requires DATABASE_DIRECT_URL`
  }
  const isCertificate = /CERT|^UNABLE_TO_|^INVALID_|^HOSTNAME_/.test(codeOf(error) ?? '')
  return isCertificate ? `the certificate of the server is refused: ${message}` : message
}
