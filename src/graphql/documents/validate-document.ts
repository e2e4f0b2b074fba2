import { GraphQLError, specifiedRules, validate } from 'graphql'
import type { DocumentNode, GraphQLSchema, ValidationRule } from 'graphql'
import { requestLess, tooCostly } from '../limits.ts'

/** The maximum number of errors: each one costs the computation of suggestions. */
const maxErrors = 20

/** Returns the first errors of a document. */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[] = [...specifiedRules, introspectionWithoutAliases],
): readonly GraphQLError[] {
  const errors = validate(schema, document, rules, { maxErrors })
  return errors.map((error) =>
    error.message === abortedMessage ? tooCostly('The query repeats too many fields or fragments.', requestLess) : error,
  )
}

/** The only error that graphql returns if a rule exceeds its limit of steps. */
const abortedMessage = 'Validation aborted.'

/**
 * Refuses aliases in introspection, with which it could be repeated any number of times. Its fields do not count towards the
 * limits above, and GraphQL's own rule limits the depth only. No known tool uses aliases there.
 */
export const introspectionWithoutAliases: ValidationRule = (context) => ({
  Field(node) {
    const isSchema = node.name.value === '__schema'
    if (node.alias && (isSchema || context.getParentType()?.name.startsWith('__')))
      context.reportError(new GraphQLError('Fields of introspection take no alias here.', { nodes: node }))
  },
})
