import { Kind, OperationTypeNode, getVariableValues, visit } from 'graphql'
import type { DocumentNode, FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { executePlan } from './execution.ts'
import type { Data } from './execution.ts'
import { NotCompilable, planObject } from './plan.ts'

export interface CompiledQuery {
  document: DocumentNode
  /** Null if the operation has no name. */
  operationName: string | null
  /** The number of fields in the plan: its size. */
  fieldCount: number
  /** Resolves to the data of a result without errors. Resolves to null if graphql must execute the document, as for every error. */
  execute(variables: Readonly<Record<string, unknown>>, context: unknown): Promise<Data | null>
}

/**
 * Compiles a valid document for repeated execution. Returns null for a document that graphql alone executes: mutations, since
 * they must not run twice after an error; directives, introspection and abstract types (docs/decisions/graphql.md#compiled-queries).
 */
export function compileQuery(schema: GraphQLSchema, document: DocumentNode): CompiledQuery | null {
  const fragments: Record<string, FragmentDefinitionNode> = {}
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  const [operation, ...others] = operations
  const type = schema.getQueryType()
  if (!operation || !type || others.length > 0 || operation.operation !== OperationTypeNode.QUERY || hasDirective(document)) return null
  try {
    const compilation = { info: { schema, fragments, operation }, fieldCount: 0 }
    const plan = planObject(compilation, type, [operation.selectionSet])
    return {
      document,
      operationName: operation.name?.value ?? null,
      fieldCount: compilation.fieldCount,
      async execute(input, context) {
        const { variableValues } = getVariableValues(schema, operation.variableDefinitions ?? [], input, { maxErrors: 1 })
        return variableValues ? executePlan(plan, variableValues, context) : null
      },
    }
  } catch (error) {
    if (error instanceof NotCompilable) return null
    throw error
  }
}

function hasDirective(document: DocumentNode): boolean {
  let isFound = false
  visit(document, { Directive: () => void (isFound = true) })
  return isFound
}
