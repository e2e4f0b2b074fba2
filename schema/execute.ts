import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  GraphQLNonNull,
  GraphQLString,
  getNullableType,
  isNonNullType,
  isObjectType,
  isScalarType,
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
import type { GraphQLOutputType, DocumentNode, ExecutionResult } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { CompiledQuery } from 'graphql-jit'
import { builder } from './builder/builder.ts'
import { typeWithoutErrors } from './builder/nullability.ts'
import type { Context } from './core/context.ts'
import { DomainError, asRefusal } from './core/errors.ts'
import { inOperation } from './core/observation/tracing.ts'
import { authorize, findRequirement } from './core/requires.ts'
import type { Requirement } from './core/requires.ts'
import { requirePrincipal, requireTeamAccess } from './core/team-access/team-access.ts'
import './index.ts'
import { schema } from './index.ts'

/**
 * The schema by which graphql-jit compiles the queries of REST routes. graphql-jit calls a function for each leaf of a custom scalar, 1,100
 * times for a page of invoices. Values of these scalars already have their JSON form (`Output` in builder/builder.ts), so their type
 * becomes String, for which graphql-jit calls nothing. An error discards the whole result, so fields have their types without errors.
 */
const restSchema = builder.toSchema({ sortSchema: false })
const stringScalars = new Set(['Date', 'MinorUnits'])

for (const type of Object.values(restSchema.getTypeMap())) {
  if (!isObjectType(type)) continue
  for (const field of Object.values(type.getFields())) field.type = withStringScalars(typeWithoutErrors(field))
}

function withStringScalars(type: GraphQLOutputType): GraphQLOutputType {
  const leaf = getNullableType(type)
  if (!isScalarType(leaf) || !stringScalars.has(leaf.name)) return type
  return isNonNullType(type) ? new GraphQLNonNull(GraphQLString) : GraphQLString
}

/** A document of this service, parsed and validated before the first request. */
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

const compiledQueries = new WeakMap<DocumentNode, CompiledQuery>()

/** Prepares the document of a REST route, and compiles a query. An invalid one stops the service at start with an error that has `name`. */
export function prepareOperation(name: string, source: string): Operation {
  const document = parse(source, { noLocation: true })
  const [mismatch] = validate(schema, document)
  if (mismatch) throw new Error(`${name}: ${mismatch.message}`)
  // graphql-jit passes an absent variable inside an input object as null, which would clear a value.
  if (!isMutation(document)) compiledQueries.set(document, compileRestQuery(name, document))
  return { document, requirements: listRequirements(document) }
}

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
    const query = compiledQueries.get(document)
    if (query) return query.query({}, context, variables)
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
  const types = new TypeInfo(schema)
  const mutates = isMutation(document)
  const enter = () => {
    const requirement = findRequirement(types.getFieldDef()?.extensions)
    if (requirement && !(mutates && requirement.scopesInMutation)) requirements.add(requirement)
  }
  visit(document, visitWithTypeInfo(types, { Field: { enter } }))
  return [...requirements]
}
