import { GraphQLError } from 'graphql'
import type { GraphQLErrorExtensions } from 'graphql'
import { DomainError, asRefusal, isFault } from '../../schema/core/errors.ts'
import { observe } from '../../schema/core/observation/observation.ts'
import { isCancelled } from '../../schema/core/cancellation/cancellable-context.ts'
import { isRecord } from '../../schema/core/record.ts'

type Report = (error: unknown, requestId: string) => void

/**
 * Converts an error to its public form, whose extensions have a `code` and the request id (docs/decisions/graphql.md#errors). A refusal
 * keeps its code. An error of GraphQL in the document or its variables keeps its message. Any other error becomes `server_error` without
 * details, and is reported.
 */
export function publicError(error: GraphQLError, requestId: string, report: Report): GraphQLError {
  const { originalError, path, nodes, source, positions, extensions } = error
  const publish = (message: string, members: { code: string } & Record<string, unknown>) => {
    observe('refusal', { api: 'graphql', code: members.code })
    return new GraphQLError(message, { path, nodes, source, positions, extensions: { ...members, request_id: requestId } })
  }
  if (!originalError || isRequestError(error)) {
    const code = getCode(extensions)
    // With `spec`, yoga applies the status only to `application/graphql-response+json`, as GraphQL over HTTP requires.
    return publish(shortened(error.message), { ...(!path && { http: { spec: true, status: 400 } }), ...extensions, code })
  }
  const cause = asRefusal(originalError)
  if (!(cause instanceof DomainError)) {
    if (!isCancelled(cause)) report(originalError, requestId)
    return publish('Server Error', { code: 'server_error' })
  }
  if (!isFault(cause)) return publish(cause.message, cause.extensions)
  report(originalError, requestId)
  const { retryAfterSeconds } = cause.details
  const http = { status: 503, ...(retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(retryAfterSeconds) } }) }
  return publish(cause.message, { ...cause.extensions, http })
}

/** Returns the catalogue's code for an error in the request. Yoga assigns the code of a bad request to a wrong method. */
function getCode({ code, http }: GraphQLErrorExtensions): string {
  if (isRecord(http) && http.status === 405) return 'method_not_allowed'
  return typeof code === 'string' ? code.toLowerCase() : 'bad_user_input'
}

/** Shortens a message, because graphql repeats names and values of the request in full. */
const shortened = (message: string) => (message.length > 1_000 ? `${message.slice(0, 1_000)}…` : message)

// Returns true if the request caused the error. Errors before execution have no path. During execution, an argument that cannot be coerced
// has nodes of the document. A result that cannot be serialized has none, and the service caused it.
const isRequestError = ({ originalError, path }: GraphQLError) =>
  originalError instanceof GraphQLError && (path === undefined || originalError.nodes !== undefined)
