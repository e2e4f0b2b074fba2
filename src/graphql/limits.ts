import { complexityFromQuery } from '@pothos/plugin-complexity'
import { BREAK, GraphQLError, visit } from 'graphql'
import type { DocumentNode, ValidationRule } from 'graphql'
import type { Context } from '../../schema/core/context.ts'
import { accessibleTeams } from '../../schema/core/team-access.ts'
import { schema } from '../../schema/index.ts'

// Limits for one document (docs/decisions/graphql.md#limits). All lists of all teams of a user with ten teams are allowed;
// thousands of aliases are not.

/** Lexical tokens of a document: about twenty times those of the longest document of the REST façade. */
export const maxTokens = 2_000
/** Fields in the response. The fields of a list count once for each requested row. */
const maxComplexity = 50_000
const maxDepth = 20
const maxBreadth = 500

/** Loads the teams of a caller with many if the document lists them, since their number is part of its cost. */
async function loadListedTeams(document: DocumentNode, context: Context): Promise<void> {
  let isListed = false
  visit(document, {
    Field({ name }) {
      if (name.value !== 'teams') return
      isListed = true
      return BREAK
    },
  })
  if (isListed && context.principal && 'teams' in context.principal) await accessibleTeams(context, context.principal)
}

/** Whether the number of the caller's teams is unknown. */
const hasManyTeams = ({ principal }: Context) => principal !== null && 'teams' in principal && principal.teams.count === null

/** Returns the error for a document that exceeds a limit, or null. */
export async function checkCost(
  document: DocumentNode,
  variables: Record<string, unknown>,
  context: Context,
): Promise<GraphQLError | null> {
  if (hasManyTeams(context)) await loadListedTeams(document, context)
  const { complexity, depth, breadth } = complexityFromQuery(document, { schema, ctx: context, variables })
  const excess = complexity > maxComplexity ? 'complex' : depth > maxDepth ? 'deep' : breadth > maxBreadth ? 'broad' : null
  if (excess === null) return null
  return new GraphQLError(`The query is too ${excess}: ask for less at once.`, {
    extensions: { code: 'query_too_costly', http: { status: 400 } },
  })
}

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
