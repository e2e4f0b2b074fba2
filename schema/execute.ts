import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  TypeInfo,
  execute as executeGraphql,
  parse,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { DocumentNode, ExecutionResult } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { CompiledQuery } from 'graphql-jit'
import type { Context } from './context.ts'
import { DomainError, asRefusal } from './errors.ts'
import { schema } from './index.ts'
import { authenticated, reachTeam } from './reach.ts'
import { authorize } from './requires.ts'
import type { Requirement } from './requires.ts'
import { wireSchema } from './wire.ts'

/** A document of our own, parsed, validated and compiled once. */
export interface Operation {
  document: DocumentNode
  /** What its fields need, collected by walking it. */
  requirements: readonly Requirement[]
}

/** The same, of which the types of data and variables are known. */
export interface TypedOperation<Data, Variables> extends Operation {
  document: TypedDocumentNode<Data, Variables>
}

type Variables = Readonly<Record<string, unknown>>

const compiled = new WeakMap<DocumentNode, CompiledQuery>()

/** Prepares a document at start; one that does not fit the schema stops the service, naming `name`. */
export function prepareOperation(name: string, source: string): Operation {
  const document = parse(source, { noLocation: true })
  const [mismatch] = validate(schema, document)
  if (mismatch) throw new Error(`${name}: ${mismatch.message}`)
  // Not mutations: compiled, an absent variable inside an input object would arrive as null, which clears.
  if (!isMutation(document)) compiled.set(document, compile(name, document))
  return { document, requirements: requirementsOf(document) }
}

/**
 * The same for a document of the account site. It is executed by graphql itself: enum values arrive as their types say,
 * in GraphQL's capitals.
 */
export function prepareDocument<Data, Variables>(document: TypedDocumentNode<Data, Variables>): TypedOperation<Data, Variables> {
  const [mismatch] = validate(schema, document)
  if (mismatch) throw new Error(mismatch.message)
  return { document, requirements: requirementsOf(document) }
}

function compile(name: string, document: DocumentNode): CompiledQuery {
  // Enum values leave as they are stored: the contract's words, not GraphQL's capitals.
  const query = compileQuery(wireSchema, document, '', { disableLeafSerialization: true })
  if (!isCompiledQuery(query)) throw new Error(`${name}: ${query.errors?.[0]?.message ?? 'does not compile'}`)
  return query
}

/** The one function every door executes through; a prepared document takes the compiled way. */
export function execute(
  document: DocumentNode,
  variables: Variables,
  context: Context,
  operationName?: string | null,
): ExecutionResult | Promise<ExecutionResult> {
  const query = compiled.get(document)
  if (query) return query.query({}, context, variables)
  return executeGraphql({ schema, document, variableValues: variables, contextValue: context, operationName })
}

/** Executes a prepared operation; throws what its first error was: a refusal as a `DomainError`, a fault as it is. */
export async function run<Data = Record<string, unknown>>(operation: Operation, variables: Variables, context: Context): Promise<Data> {
  const { data, errors } = await execute(operation.document, variables, context)
  if (errors?.length) throw causeOf(errors)
  return data as Data
}

/**
 * Refuses what the credential cannot do before anything of the request is judged: team first, then scope and role
 * (decisions §1). The fields check again when they run; this only puts the refusals in their order.
 */
export async function authorizeOperation({ requirements }: Operation, context: Context, teamSlug: string | null): Promise<void> {
  authenticated(context)
  const reach = teamSlug === null ? null : await reachTeam(context, teamSlug)
  for (const requirement of requirements) authorize(context, requirement, reach)
}

/** The refusal among the errors, else the fault that came first. */
function causeOf(errors: readonly Error[]): unknown {
  const causes = errors.map((error) => asRefusal((error instanceof GraphQLError && error.originalError) || error))
  return causes.find((cause) => cause instanceof DomainError) ?? causes[0]
}

const isMutation = ({ definitions }: DocumentNode) =>
  definitions.some((definition) => definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.MUTATION)

function requirementsOf(document: DocumentNode): Requirement[] {
  const found = new Set<Requirement>()
  const types = new TypeInfo(schema)
  const mutates = isMutation(document)
  const enter = () => {
    const requires = types.getFieldDef()?.extensions.requires as Requirement | undefined
    if (requires && !(mutates && requires.impliedByMutation)) found.add(requires)
  }
  visit(document, visitWithTypeInfo(types, { Field: { enter } }))
  return [...found]
}
