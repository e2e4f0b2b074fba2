import { Kind, OperationTypeNode, getVariableValues, visit } from 'graphql'
import type { DocumentNode, FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { executePlan } from './execution.ts'
import type { Data } from './execution.ts'
import { NotCompilable, planObject } from './plan.ts'

type Input = Readonly<Record<string, unknown>>

export interface CompiledMutation {
  /** Rejects with the error that its field threw, or that of the variables. */
  execute(variables: Input, context: unknown): Promise<Data>
}

export interface CompiledQuery {
  document: DocumentNode
  /** Null if the operation has no name. */
  operationName: string | null
  /** The number of fields in the plan: its size. */
  fieldCount: number
  /** Resolves to the data of a result without errors. Resolves to null if graphql must execute the document, as for every error. */
  execute(variables: Input, context: unknown): Promise<Data | null>
}

/**
 * Compiles a valid document for repeated execution. Returns null for a document that graphql alone executes: mutations, since
 * they must not run twice after an error; directives, introspection and abstract types (docs/decisions/graphql.md#compiled-queries).
 */
export function compileQuery(schema: GraphQLSchema, document: DocumentNode): CompiledQuery | null {
  const query = compile(schema, document, OperationTypeNode.QUERY)
  return query && { ...query, execute: (variables, context) => query.execute(variables, context).catch(() => null) }
}

/**
 * Compiles a document with one mutation, for callers to whom only its first error matters. Returns null for a document that
 * graphql alone executes.
 */
export function compileMutation(schema: GraphQLSchema, document: DocumentNode): CompiledMutation | null {
  const mutation = compile(schema, document, OperationTypeNode.MUTATION)
  return mutation?.rootFieldCount === 1 ? mutation : null
}

function compile(schema: GraphQLSchema, document: DocumentNode, operationType: OperationTypeNode) {
  const fragments: Record<string, FragmentDefinitionNode> = {}
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  const [operation, ...others] = operations
  const type = schema.getRootType(operationType)
  if (!operation || !type || others.length > 0 || operation.operation !== operationType || hasDirective(document)) return null
  try {
    const compilation = { info: { schema, fragments, operation }, fieldCount: 0 }
    const plan = planObject(compilation, type, [operation.selectionSet])
    return {
      document,
      operationName: operation.name?.value ?? null,
      fieldCount: compilation.fieldCount,
      rootFieldCount: plan.fields.length,
      async execute(input: Input, context: unknown): Promise<Data> {
        const { variableValues, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], input, { maxErrors: 1 })
        if (errors) throw errors[0]
        return executePlan(plan, variableValues, context)
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
