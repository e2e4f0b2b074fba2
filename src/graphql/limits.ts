import { complexityFromQuery } from '@pothos/plugin-complexity'
import { GraphQLError, Lexer, Source, TokenKind, parse, visit } from 'graphql'
import type { DocumentNode, ValidationRule } from 'graphql'
import type { Context } from '../../schema/core/context.ts'
import { accessibleTeams } from '../../schema/core/team-access.ts'
import { schema } from '../../schema/index.ts'
import { totalsOverTeams } from '../../schema/teams/totals.ts'
import { selectsField } from './documents/selects-field.ts'

// Limits for one document (docs/decisions/graphql.md#limits). All lists of all teams of a user with ten teams are allowed;
// thousands of aliases are not.

/** Lexical tokens of a document: about twenty times those of the longest document of the REST façade. */
const maxTokens = 2_000
/** Nested brackets of any kind: the fields of `maxDepth` levels, inline fragments between them, and a value. */
const maxNesting = 100
/** Fields with a selection and the same name in the response: GraphQL's validation compares each with every other. */
const maxMerges = 150
/** Fields in the response. The fields of a list count once for each requested row. */
const maxComplexity = 50_000
const maxDepth = 20
const maxBreadth = 500

/** Parses the document of a caller. Throws a `GraphQLError` for a syntax error, and for a document that is costly to validate. */
export function parseDocument(source: string): DocumentNode {
  limitNesting(source)
  const document = parse(source, { maxTokens })
  const counts = new Map<string, number>()
  visit(document, {
    Field({ alias, name, selectionSet }) {
      if (!selectionSet) return
      const key = (alias ?? name).value
      const count = (counts.get(key) ?? 0) + 1
      if (count > maxMerges) throw tooCostly(`The query selects ${key} more than ${maxMerges} times.`)
      counts.set(key, count)
    },
  })
  return document
}

/** Throws for brackets that are nested too deeply. The parser calls itself for each, so that its stack would overflow. */
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

/** Loads the teams of a caller with many if the document lists them, since their number is part of its cost. */
async function loadListedTeams(document: DocumentNode, context: Context): Promise<void> {
  if (selectsField(document, ['teams', ...totalsOverTeams]) && context.principal && 'teams' in context.principal)
    await accessibleTeams(context, context.principal)
}

/** Whether the number of the caller's teams is unknown. */
const hasManyTeams = ({ principal }: Context) => principal !== null && 'teams' in principal && principal.teams.count === null

/** What a document costs, the limit for one request, and what is left of it for the other documents of the request. */
export interface Cost {
  requested: number
  limit: number
  remaining: number
}

/** What the documents of one request may still cost. */
export interface Budget {
  remaining: number
}
export const newBudget = (): Budget => ({ remaining: maxComplexity })

/** Takes the cost of a document from the budget and returns it, or the error for a document that exceeds a limit. */
export async function charge(
  document: DocumentNode,
  variables: Record<string, unknown>,
  context: Context,
  budget: Budget,
): Promise<Cost | GraphQLError> {
  if (hasManyTeams(context)) await loadListedTeams(document, context)
  const { complexity: computed, depth, breadth } = complexityFromQuery(document, { schema, ctx: context, variables })
  // Nested fragments can multiply the cost until it is infinite, which JSON cannot represent.
  const complexity = Math.min(computed, Number.MAX_SAFE_INTEGER)
  const cost = { requested: complexity, limit: maxComplexity, remaining: budget.remaining }
  if (depth > maxDepth) return tooCostly(`The query has more than ${maxDepth} levels of fields.`, cost)
  if (breadth > maxBreadth) return tooCostly(`The query selects more than ${maxBreadth} fields.`, cost)
  if (complexity > budget.remaining)
    return tooCostly(`The query costs ${complexity}; at most ${budget.remaining} is left for this request.`, cost)
  budget.remaining -= complexity
  return { ...cost, remaining: budget.remaining }
}

const tooCostly = (reason: string, cost?: Cost) =>
  new GraphQLError(`${reason} Ask for less at once.`, {
    extensions: { code: 'query_too_costly', ...(cost && { cost }), http: { status: 400 } },
  })

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
