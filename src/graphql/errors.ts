import { GraphQLError } from 'graphql'
import { DomainError, asRefusal } from '../../schema/errors.ts'

type Report = (error: unknown, requestId: string) => void

/**
 * An error as callers are told it: a refusal by its code, what GraphQL finds wrong with a document or its variables
 * as it is, anything else as a fault without a word of its own, whose cause is reported under the request's id.
 */
export function toldError(error: GraphQLError, requestId: string, report: Report): GraphQLError {
  const { originalError, path, nodes, extensions } = error
  if (!originalError || isCallers(error)) {
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

// Before execution a value is the caller's. Amid it, an argument that cannot be read points into the document; a value
// of ours that no type can carry points nowhere.
const isCallers = ({ originalError, path }: GraphQLError) =>
  originalError instanceof GraphQLError && (path === undefined || originalError.nodes !== undefined)
