import { GraphQLError, specifiedRules, validate } from 'graphql'
import type { DocumentNode, GraphQLSchema, ValidationRule } from 'graphql'
import { tooCostly } from './too-costly.ts'

/** The maximum number of errors, each of which can look for similar names. */
const maxErrors = 20

/** Returns the first errors of a document; none if it is valid. */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[] = [...specifiedRules, introspectionWithoutAliases],
): readonly GraphQLError[] {
  const errors = validate(schema, document, rules, { maxErrors })
  return errors.map((error) => (error.message === abortedMessage ? tooCostly('The query repeats too many fields or fragments.') : error))
}

/** The only error that graphql returns if a rule exceeds its limit of steps. */
const abortedMessage = 'Validation aborted.'

/**
 * Refuses aliases in introspection, which could repeat it any number of times: its fields do not count towards the limits of limits.ts,
 * and GraphQL's own rule limits only the depth. No known tool uses aliases there.
 */
export const introspectionWithoutAliases: ValidationRule = (context) => ({
  Field(node) {
    const isSchema = node.name.value === '__schema'
    if (node.alias && (isSchema || context.getParentType()?.name.startsWith('__')))
      context.reportError(new GraphQLError('Fields of introspection take no alias here.', { nodes: node }))
  },
})
