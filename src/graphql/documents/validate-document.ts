import { GraphQLError, specifiedRules, validate } from 'graphql'
import type { DocumentNode, GraphQLSchema, ValidationRule } from 'graphql'
import { publicSchema } from '../../../schema/public-schema.ts'
import { tooCostly } from './too-costly.ts'

/** The maximum number of errors, each of which can look for similar names. */
const maxErrors = 20

/**
 * Returns the first errors of a document; none if it is valid. They are those that the public schema finds: suggestions for names that are
 * written wrong would otherwise name fields and types that it hides. A document that selects such a field is valid, and refused when it runs.
 */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[] = [...specifiedRules, introspectionWithoutAliases],
): readonly GraphQLError[] {
  if (validate(schema, document, rules, { maxErrors: 1, hideSuggestions: true }).length === 0) return []
  return validate(publicSchema(), document, rules, { maxErrors }).map((error) =>
    error.message === abortedMessage ? tooCostly('The query repeats too many fields or fragments.') : error,
  )
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
