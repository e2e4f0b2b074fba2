import { GraphQLError } from 'graphql'

/** What a document costs, the limit for one request, and what is left of it for the other documents of the request. */
export interface Cost {
  requested: number
  limit: number
  remaining: number
}

interface Details {
  advice?: string
  /** Absent if the document was refused before its cost was computed. */
  cost?: Cost
}

/** The error for a document that exceeds a limit. */
export const tooCostly = (reason: string, { advice = 'Request fewer fields or rows.', cost }: Details = {}): GraphQLError =>
  new GraphQLError(`${reason} ${advice}`, {
    // With `spec`, yoga applies the status to `application/graphql-response+json` alone, as GraphQL over HTTP says.
    extensions: { code: 'query_too_costly', ...(cost && { cost }), http: { spec: true, status: 400 } },
  })
