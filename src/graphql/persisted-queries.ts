import { GraphQLError } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { HttpError } from '../../rest-facade/http/http-error.ts'
import { sha256Hex } from './document-cache.ts'
import type { DocumentCache } from './document-cache.ts'
import { isRecord } from './record.ts'

// Automatic persisted queries, as the clients of Apollo and urql send them: first the SHA-256 of a query alone, then, if the service
// does not know it, query and hash together (docs/decisions/graphql.md#persisted-queries).

/** In place of a query that the service does not know: yoga refuses parameters without a query before our plugin can answer. */
const unknown = ''

/** Adds the query that the parameters name by its hash, if the service knows it. Throws 400 for a hash of another query. */
export function withPersistedQuery(parameters: unknown, documents: DocumentCache): unknown {
  const hash = hashIn(parameters)
  if (hash === null || !isRecord(parameters)) return parameters
  if (parameters.query == null) return { ...parameters, query: documents.sourceOf(hash) ?? unknown }
  if (typeof parameters.query === 'string' && sha256Hex(parameters.query) !== hash)
    throw new HttpError(400, 'The hash in extensions.persistedQuery is not that of the query.')
  return parameters
}

/** The hash of a persisted query in the parameters, or null if they name none. */
function hashIn(parameters: unknown): string | null {
  const extensions = isRecord(parameters) ? parameters.extensions : undefined
  const persisted = isRecord(extensions) ? extensions.persistedQuery : undefined
  return isRecord(persisted) && persisted.version === 1 && typeof persisted.sha256Hash === 'string' ? persisted.sha256Hash : null
}

/** Answers a hash that the service does not know, so that the client sends the query, too. */
export const unknownPersistedQuery: Plugin<{ params: GraphQLParams }> = {
  onParams({ params, setResult }) {
    if (hashIn(params) === null || params.query !== unknown) return
    const extensions = { code: 'persisted_query_not_found', http: { status: 200 } }
    setResult({ errors: [new GraphQLError('PersistedQueryNotFound', { extensions })] })
  },
}
