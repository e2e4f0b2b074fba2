import { complexityFromQuery } from '@pothos/plugin-complexity'
import { GraphQLError } from 'graphql'
import type { DocumentNode, ValidationRule } from 'graphql'
import type { Context } from '../../schema/context.ts'
import { schema } from '../../schema/index.ts'

// What one document may ask for. Every list of every team of a person with ten fits; floods of aliases do not.

/** Lexical tokens of a document: some twenty times those of the longest document of the façade. */
export const mostTokens = 2_000
/** Fields by name in one answer, rows of lists counted as many times as asked for. */
const mostFields = 50_000
const mostDeep = 20
const mostBroad = 500

/** The error a document is refused with because it asks for too much at once, or null. */
export function refuseCostly(document: DocumentNode, variables: Record<string, unknown>, context: Context): GraphQLError | null {
  const { complexity, depth, breadth } = complexityFromQuery(document, { schema, ctx: context, variables })
  const excess = complexity > mostFields ? 'complex' : depth > mostDeep ? 'deep' : breadth > mostBroad ? 'broad' : null
  if (excess === null) return null
  return new GraphQLError(`The query is too ${excess}: ask for less at once.`, {
    extensions: { code: 'query_too_costly', http: { status: 400 } },
  })
}

/**
 * Introspection once, not sixty times sixty: its fields are not counted above, GraphQL's own rule limits its depth
 * alone, and no tool needs other names for them.
 */
export const introspectionWithoutAliases: ValidationRule = (context) => ({
  Field(node) {
    const isSchema = node.name.value === '__schema'
    if (node.alias && (isSchema || context.getParentType()?.name.startsWith('__')))
      context.reportError(new GraphQLError('Fields of introspection take no alias here.', { nodes: node }))
  },
})
