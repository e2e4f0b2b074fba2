import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  GraphQLNonNull,
  GraphQLString,
  getNamedType,
  getNullableType,
  isCompositeType,
  isNonNullType,
  isScalarType,
  GraphQLError,
  Kind,
  OperationTypeNode,
  execute as executeGraphql,
  parse,
  validate,
} from 'graphql'
import type { DocumentNode, ExecutionResult, GraphQLNamedType, GraphQLOutputType, GraphQLSchema, SelectionSetNode } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { CompiledQuery } from 'graphql-jit'
import { typeWithoutErrors } from './builder/nullability.ts'
import type { Context } from './core/context.ts'
import { DomainError, asRefusal } from './core/errors.ts'
import { inOperation } from './core/observation/tracing.ts'
import { authorize, findRequirement } from './core/requires.ts'
import type { Requirement } from './core/requires.ts'
import { requirePrincipal, requireTeamAccess } from './core/team-access/team-access.ts'
import { schema } from './index.ts'

/**
 * The schema by which graphql-jit compiles the queries of REST routes. graphql-jit calls a function for each leaf of a custom scalar, 1,100
 * times for a page of invoices. Values of these scalars already have their JSON form (`Output` in builder/builder.ts), so their type
 * becomes String, for which graphql-jit calls nothing. An error discards the whole result, so fields have their types without errors.
 * It shares its types with `schema`, because building them again takes a tenth of a start.
 */
const restSchema: GraphQLSchema = Object.create(schema, { getField: { value: getRestField } })
const stringScalars = new Set(['Date', 'MinorUnits'])

function getRestField(...parameters: Parameters<GraphQLSchema['getField']>): ReturnType<GraphQLSchema['getField']> {
  const field = schema.getField(...parameters)
  return field && Object.create(field, { type: { value: withStringScalars(typeWithoutErrors(field)) } })
}

function withStringScalars(type: GraphQLOutputType): GraphQLOutputType {
  const leaf = getNullableType(type)
  if (!isScalarType(leaf) || !stringScalars.has(leaf.name)) return type
  return isNonNullType(type) ? new GraphQLNonNull(GraphQLString) : GraphQLString
}

/** A parsed document of this service. */
export interface Operation {
  document: DocumentNode
  /** The requirements of all fields of the document. */
  requirements: readonly Requirement[]
}

/** An operation with types of its data and variables. */
interface TypedOperation<Data, Variables> extends Operation {
  document: TypedDocumentNode<Data, Variables>
}

type Variables = Readonly<Record<string, unknown>>

/** The documents of REST routes that graphql-jit executes, with the name of the route and, after the first request, the compiled query. */
const restQueries = new WeakMap<DocumentNode, { name: string; query?: CompiledQuery }>()

/**
 * Prepares the document of a REST route. The build validates it (`findMismatch`). A query is compiled for the first request, because
 * compiling all of them would delay every start.
 */
export function prepareOperation(name: string, source: string): Operation {
  const document = parse(source, { noLocation: true })
  // graphql-jit passes an absent variable inside an input object as null, which would clear a value.
  if (!isMutation(document)) restQueries.set(document, { name })
  return prepareDocument(document)
}

/** Returns why a document does not match the schema, or undefined if it does. */
export const findMismatch = ({ document }: Operation): string | undefined => validate(schema, document)[0]?.message

/**
 * Prepares a document of the account site or the command line, which the build has validated. graphql executes it, so enum values are in
 * GraphQL's capitals, as in the generated types, and the Prisma plugin merges queries.
 */
export function prepareDocument<Data, Variables>(document: TypedDocumentNode<Data, Variables>): TypedOperation<Data, Variables> {
  return { document, requirements: listRequirements(document) }
}

function compileRestQuery(name: string, document: DocumentNode): CompiledQuery {
  // Enum values stay in their stored form, because REST does not use GraphQL's capitals.
  const query = compileQuery(restSchema, document, '', { disableLeafSerialization: true })
  if (!isCompiledQuery(query)) throw new Error(`${name}: ${query.errors?.[0]?.message ?? 'does not compile'}`)
  return query
}

/** Executes a document for every interface of the service: by graphql-jit if it is the query of a REST route, by graphql otherwise. */
export function execute(
  document: DocumentNode,
  variables: Variables,
  context: Context,
  operationName?: string | null,
): ExecutionResult | Promise<ExecutionResult> {
  return inOperation(context, document, operationName, () => {
    const rest = restQueries.get(document)
    if (rest) return (rest.query ??= compileRestQuery(rest.name, document)).query({}, context, variables)
    return executeGraphql({ schema, document, variableValues: variables, contextValue: context, operationName })
  })
}

/** Executes a prepared operation. If it failed, throws a `DomainError` among its errors, or else the first error. */
export async function run<Data = Record<string, unknown>>(operation: Operation, variables: Variables, context: Context): Promise<Data> {
  const { data, errors } = await execute(operation.document, variables, context)
  if (errors?.length) throw getCause(errors)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the document was validated against the schema
  return data as Data
}

/**
 * Checks the permissions of the credential before the request's input is validated: team access first, then the requirements
 * (docs/decisions/errors.md#order-of-refusal). The fields check again when they run; this call only fixes the order of errors.
 */
export async function authorizeOperation({ requirements }: Operation, context: Context, teamSlug: string | null): Promise<void> {
  requirePrincipal(context)
  const teamAccess = teamSlug === null ? null : await requireTeamAccess(context, teamSlug)
  for (const requirement of requirements) authorize(context, requirement, teamAccess)
}

function getCause(errors: readonly unknown[]): unknown {
  const causes = errors.map((error) => asRefusal((error instanceof GraphQLError && error.originalError) || error))
  return causes.find((cause) => cause instanceof DomainError) ?? causes[0]
}

const isMutation = ({ definitions }: DocumentNode) =>
  definitions.some((definition) => definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.MUTATION)

function listRequirements(document: DocumentNode): Requirement[] {
  const requirements = new Set<Requirement>()
  const mutates = isMutation(document)
  const addFields = (parent: GraphQLNamedType | null | undefined, { selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const field = isCompositeType(parent) ? schema.getField(parent, selection.name.value) : undefined
        const requirement = findRequirement(field?.extensions)
        if (requirement && !(mutates && requirement.scopesInMutation)) requirements.add(requirement)
        if (field && selection.selectionSet) addFields(getNamedType(field.type), selection.selectionSet)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition
        addFields(condition ? schema.getType(condition.name.value) : parent, selection.selectionSet)
      }
    }
  }
  // This does not use `visit` of graphql with `TypeInfo`, which takes four times as long: every start reads all documents.
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) addFields(schema.getRootType(definition.operation), definition.selectionSet)
    else if (definition.kind === Kind.FRAGMENT_DEFINITION)
      addFields(schema.getType(definition.typeCondition.name.value), definition.selectionSet)
  }
  return [...requirements]
}
