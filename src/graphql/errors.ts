import { GraphQLError } from 'graphql'
import { DomainError, asRefusal } from '../../schema/core/errors.ts'

type Report = (error: unknown, requestId: string) => void

/**
 * Converts an error to its public form. A refusal keeps its code, and an error of GraphQL in the document or its variables stays
 * as it is. Any other error becomes `server_error` without details, and is reported with the request id.
 */
export function publicError(error: GraphQLError, requestId: string, report: Report): GraphQLError {
  const { originalError, path, nodes, extensions } = error
  if (!originalError || isRequestError(error)) {
    if (extensions.code !== undefined) return error
    return new GraphQLError(error.message, { path, nodes, extensions: { ...extensions, code: 'BAD_USER_INPUT' } })
  }
  const cause = asRefusal(originalError)
  if (!(cause instanceof DomainError)) {
    report(originalError, requestId)
    return new GraphQLError('Server Error', { path, nodes, extensions: { code: 'server_error', request_id: requestId } })
  }
  if (cause.code !== 'unavailable') return new GraphQLError(cause.message, { path, nodes, extensions: cause.extensions })
  report(originalError, requestId)
  const http = { status: 503, headers: { 'Retry-After': String(cause.details.retryAfterSeconds ?? 1) } }
  return new GraphQLError(cause.message, { path, nodes, extensions: { ...cause.extensions, request_id: requestId, http } })
}

// Errors before execution have no path: the request caused them. During execution, an argument that cannot be coerced has
// nodes of the document. A result that cannot be serialized has none: the service caused it.
const isRequestError = ({ originalError, path }: GraphQLError) =>
  originalError instanceof GraphQLError && (path === undefined || originalError.nodes !== undefined)
