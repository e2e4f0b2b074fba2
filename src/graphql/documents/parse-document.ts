import { Lexer, Source, TokenKind, parse, visit, GraphQLError } from 'graphql'
import type { DocumentNode } from 'graphql'

/** Maximum length of a document. Each error scans the text from the start to find its location. Long values belong in variables. */
const maxCharacters = 32_768
/** Maximum number of lexical tokens of a document: about twenty times those of the longest document of the REST façade. */
const maxTokens = 2_000
/** Maximum nesting of brackets. It allows the maximum depth of fields (limits.ts) with inline fragments and a nested value. */
const maxNesting = 100
/** Maximum number of fields of a document, and of the operation with each use of a fragment. */
export const maxFields = 500

/** Parses the document of a caller. Throws a `GraphQLError` for a syntax error, and for a document that is costly to validate. */
export function parseDocument(source: string): DocumentNode {
  if (source.length > maxCharacters)
    throw tooCostly(`The query is longer than ${maxCharacters} characters.`, { advice: 'Send values as variables.' })
  limitNesting(source)
  const document = parse(source, { maxTokens })
  // The limit exists because validation compares each field with all others of the same response name.
  let fields = 0
  visit(document, {
    Field() {
      if (++fields > maxFields) throw tooCostly(`The query selects more than ${maxFields} fields.`)
    },
  })
  return document
}

/** Throws for brackets that are nested too deeply, because the parser is recursive and its stack would overflow. */
function limitNesting(source: string): void {
  const lexer = new Lexer(new Source(source))
  let depth = 0
  for (let count = 0; count < maxTokens && lexer.advance().kind !== TokenKind.EOF; count++) {
    const { kind } = lexer.token
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) depth++
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) depth--
    if (depth > maxNesting) throw tooCostly(`The query nests brackets more than ${maxNesting} levels deep.`)
  }
}

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
