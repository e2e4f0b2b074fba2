import { GraphQLError } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { HttpError } from '../../../rest-facade/http/http-error.ts'
import { hashDocument } from './document-cache.ts'
import { isRecord } from '../../../schema/core/record.ts'

// Clients can send the identifier of a document instead of its text (docs/decisions/graphql.md#persisted-queries):
// - Automatic persisted queries of Apollo and urql: the SHA-256 alone and, if it is unknown to the service, the query with its SHA-256.
// - Trusted documents: the identifier in the manifest, also as `documentId`.

/** Documents that a client may specify by an identifier. */
export interface ClientDocuments {
  /** True if the service executes only these documents. */
  isTrustedOnly: boolean
  getSource(id: string): string | undefined
  /** Returns true if a document that was sent as text may be executed. */
  allows(query: string): boolean
}

/** Stands for an unknown query, because yoga refuses parameters without a query before our plugin can respond. */
const unknown = '\0'

/** Adds the query for the identifier in the parameters, if the service has it. Throws 400 for a hash of another query. */
export function withPersistedQuery(parameters: Record<string, unknown>, documents: ClientDocuments): Record<string, unknown> {
  const { documentId, ...remaining } = parameters
  const id = typeof documentId === 'string' ? documentId.replace(/^sha256:/, '') : hashIn(remaining)
  const { query } = remaining
  if (query == null) return id === null ? remaining : { ...remaining, query: documents.getSource(id) ?? unknown }
  if (typeof query !== 'string') return remaining
  if (id !== null && hashDocument(query) !== id && documents.getSource(id) !== query)
    throw new HttpError(400, 'The hash in extensions.persistedQuery is not that of the query.')
  return documents.allows(query) ? remaining : { ...remaining, query: unknown }
}

/** Returns the hash of a persisted query in the parameters, or null if there is none. */
function hashIn({ extensions }: Record<string, unknown>): string | null {
  const persisted = isRecord(extensions) ? extensions.persistedQuery : undefined
  return isRecord(persisted) && persisted.version === 1 && typeof persisted.sha256Hash === 'string' ? persisted.sha256Hash : null
}

/** Returns an error for an unknown document. For a persisted query, the client then sends the query, too. */
export const unknownPersistedQuery = ({ isTrustedOnly }: ClientDocuments): Plugin<{ params: GraphQLParams }> => ({
  // Parameters that are not an object reach this point, too.
  onParams({ params, setResult }) {
    if (isRecord(params) && params.query === unknown) setResult({ errors: [isTrustedOnly ? notInList() : notFound()] })
  },
})

const notFound = () =>
  new GraphQLError('PersistedQueryNotFound', { extensions: { code: 'persisted_query_not_found', http: { status: 200 } } })

const notInList = () =>
  new GraphQLError('This service executes only the documents of its manifest.', {
    extensions: { code: 'persisted_query_not_in_list', http: { status: 400 } },
  })
