import { specifiedRules, validate } from 'graphql'
import type { DocumentNode, GraphQLError, GraphQLSchema, ValidationRule } from 'graphql'
import { publicSchema } from '../../../schema/public-schema.ts'
import { introspectionRules } from './introspection-rules.ts'
import { tooCostly } from './parse-document.ts'

/** Maximum number of errors, each of which can look for similar names. */
const maxErrors = 20

/**
 * Returns the first errors of a document; none if it is valid. The public schema is used, because suggestions for misspelt names would
 * otherwise contain fields and types that it hides. A document that selects such a field is valid, and refused when it runs.
 */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[] = [...specifiedRules, ...introspectionRules],
): readonly GraphQLError[] {
  if (validate(schema, document, rules, { maxErrors: 1, hideSuggestions: true }).length === 0) return []
  return validate(publicSchema(), document, rules, { maxErrors }).map((error) =>
    error.message === abortedMessage ? tooCostly('The query repeats too many fields or fragments.') : error,
  )
}

/** The only error that graphql returns if a rule exceeds its limit of steps. */
const abortedMessage = 'Validation aborted.'
