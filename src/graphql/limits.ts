import { complexityFromQuery } from '@pothos/plugin-complexity'
import { GraphQLError, Kind, getOperationAST, getVariableValues } from 'graphql'
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { Context } from '../../schema/core/context.ts'
import { accessibleTeams } from '../../schema/core/team-access/team-access.ts'
import { schema } from '../../schema/index.ts'
import { publicSchema } from '../../schema/public-schema.ts'
import { totalsOverTeams } from '../../schema/teams/team-totals.ts'
import { maxFields, tooCostly } from './documents/parse-document.ts'
import type { Cost } from './documents/parse-document.ts'
import { countSelections, selectsField } from './documents/count-selections.ts'

// The cost of one document (docs/decisions/graphql.md#limits). All lists of all teams of a user with ten teams are allowed; thousands of
// aliases are not.

/** Maximum number of fields in the response. The fields of a list count once for each requested row. */
const maxComplexity = 50_000
const maxDepth = 20
/** Costs of the whole schema, so that no request reads it twice, and of a single type. They take as long as others of this cost. */
const schemaCost = 30_000
const typeCost = 4_000

/** Loads the teams of the caller if the document lists them and they are not all loaded, because their number is part of its cost. */
async function loadListedTeams(document: DocumentNode, context: Context): Promise<void> {
  const { principal } = context
  if (!principal || !('teams' in principal) || principal.teams.count !== null) return
  if (selectsField(document, ['teams', ...totalsOverTeams])) await accessibleTeams(context, principal)
}

/** Remaining cost for the documents of one request. */
export interface Budget {
  remaining: number
}
export const newBudget = (): Budget => ({ remaining: maxComplexity })

/** Returns the cost of a refused document from its error; none if it was refused before its cost was computed. */
export const costOfRefusal = (errors: readonly GraphQLError[] | undefined, { remaining }: Budget): unknown =>
  errors?.[0]?.extensions.cost ?? { requested: 0, limit: maxComplexity, remaining }

interface RequestedOperation {
  document: DocumentNode
  operationName?: string | null | undefined
  variables: Record<string, unknown>
}

/** Subtracts the cost of an operation from the budget and returns it. Returns an error beyond a limit; throws one for invalid variables. */
export async function charge(requested: RequestedOperation, context: Context, budget: Budget): Promise<Cost | GraphQLError> {
  const { variables } = requested
  const operation = getOperationAST(requested.document, requested.operationName)
  if (!operation) throw new GraphQLError('The document does not contain the operation.')
  const invalid = variableError(schema, operation, variables)
  // The error is that of the public schema, because that of the whole schema contains the fields and values of hidden input types.
  if (invalid) throw variableError(publicSchema(), operation, variables) ?? invalid
  const document = withOnly(operation, requested.document)
  await loadListedTeams(document, context)
  const { complexity: computed, depth, breadth } = complexityFromQuery(document, { schema, ctx: context, variables })
  // Nested fragments can multiply the cost until it is infinite, which JSON cannot represent.
  const complexity = Math.min(computed + introspectionCost(document), Number.MAX_SAFE_INTEGER)
  const cost = { requested: complexity, limit: maxComplexity, remaining: budget.remaining }
  if (depth > maxDepth) return tooCostly(`The query has more than ${maxDepth} levels of fields.`, { cost })
  if (breadth > maxFields) return tooCostly(`The query selects more than ${maxFields} fields.`, { cost })
  if (complexity > budget.remaining)
    return tooCostly(`The query costs ${complexity}; at most ${budget.remaining} is left for this request.`, { cost })
  budget.remaining -= complexity
  return { ...cost, remaining: budget.remaining }
}

/** Returns the cost of introspection in a document: that of its types, which need an alias each, and of the schema, which needs none. */
const introspectionCost = (document: DocumentNode): number =>
  countSelections(document, '__type') * typeCost + (selectsField(document, ['__schema']) ? schemaCost : 0)

/** Returns the first error in the variables. One is enough, because each contains the whole value and there can be thousands. */
const variableError = (
  executedSchema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
) => getVariableValues(executedSchema, variableDefinitions, variables, { maxErrors: 1 }).errors?.[0]

/** Returns the document with only this operation, because the plugin computes the cost of the first one. */
function withOnly(operation: OperationDefinitionNode, document: DocumentNode): DocumentNode {
  const fragments = document.definitions.filter(({ kind }) => kind !== Kind.OPERATION_DEFINITION)
  return fragments.length === document.definitions.length - 1 ? document : { ...document, definitions: [operation, ...fragments] }
}
