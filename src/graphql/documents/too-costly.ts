import { GraphQLError } from 'graphql'

/** Cost of a document, the limit for one request, and the remainder for the other documents of the request. */
export interface Cost {
  requested: number
  limit: number
  remaining: number
}

interface Details {
  advice?: string
  /** The cost; absent if the document was refused before its cost was computed. */
  cost?: Cost
}

/** Creates the error for a document that exceeds a limit. */
export const tooCostly = (reason: string, { advice = 'Request fewer fields or rows.', cost }: Details = {}): GraphQLError =>
  new GraphQLError(`${reason} ${advice}`, {
    // With `spec`, yoga applies the status only to `application/graphql-response+json`, as GraphQL over HTTP requires.
    extensions: { code: 'query_too_costly', ...(cost && { cost }), http: { spec: true, status: 400 } },
  })
