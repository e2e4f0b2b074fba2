import { TypeNameMetaFieldDef, getArgumentValues, isLeafType, isListType, isNonNullType, isObjectType, visit } from 'graphql'
import type { ArgumentNode, GraphQLField, GraphQLObjectType, GraphQLOutputType, GraphQLResolveInfo, SelectionSetNode } from 'graphql'
import { completeObject, fail } from './execution.ts'
import type { Complete, FieldPlan, ObjectPlan, Read } from './execution.ts'
import { collectFields } from './selection.ts'
import type { FieldNodes, OperationInfo } from './selection.ts'

/** The document has parts that only graphql executes. */
export class NotCompilable extends Error {}

export interface Compilation {
  info: OperationInfo
  /** The number of fields so far. */
  fieldCount: number
}

/** Determines once what graphql determines again in each execution: fields, their resolvers, types and constant arguments. */
export function planObject(compilation: Compilation, type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): ObjectPlan {
  const fields = Array.from(collectFields(compilation.info, type, selectionSets), ([key, nodes]) =>
    planField(compilation, type, key, nodes),
  )
  return { typename: type.name, fields }
}

function planField(compilation: Compilation, parentType: GraphQLObjectType, key: string, nodes: FieldNodes): FieldPlan {
  const field = compilation.info.schema.getField(parentType, nodes[0].name.value)
  const isIntrospection = field?.name.startsWith('__') && field !== TypeNameMetaFieldDef
  // An assignment to `__proto__` adds no member.
  if (!field || isIntrospection || key === '__proto__') throw new NotCompilable(nodes[0].name.value)
  compilation.fieldCount++
  const complete = planValue(compilation, field.type, nodes)
  if (field === TypeNameMetaFieldDef) return { key, read: () => parentType.name, complete, needsPath: false }
  if (field.resolve) return { key, read: planResolver(compilation, parentType, field, nodes), complete, needsPath: true }
  return { key, read: readProperty(field.name), complete, needsPath: nodes[0].selectionSet !== undefined }
}

/** Reads the property of the field's name, as graphql does for a field without a resolver. */
const readProperty =
  (name: string): Read =>
  (source) => {
    const value = isRecord(source) ? source[name] : undefined
    return typeof value === 'function' ? fail() : value
  }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function planResolver(
  compilation: Compilation,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  nodes: FieldNodes,
): Read {
  const { resolve = fail, name, type } = field
  const info = {
    ...compilation.info,
    ...withoutCancellation,
    fieldName: name,
    fieldNodes: nodes,
    returnType: type,
    parentType,
    rootValue: undefined,
  }
  // Frozen, because all executions share them.
  const constantArguments = nodes[0].arguments?.some(hasVariable) ? null : Object.freeze(getArgumentValues(field, nodes[0]))
  return (source, { variables, context }, path = fail()) => {
    const args = constantArguments ?? getArgumentValues(field, nodes[0], variables)
    return resolve(source, args, context, { ...info, path, variableValues: variables })
  }
}

const withoutCancellation: Pick<GraphQLResolveInfo, 'getAbortSignal' | 'getAsyncHelpers'> = {
  getAbortSignal: () => undefined,
  getAsyncHelpers: () => ({ promiseAll: async (values) => Promise.all(values), track: () => {} }),
}

function hasVariable(argument: ArgumentNode): boolean {
  let isFound = false
  visit(argument, { Variable: () => void (isFound = true) })
  return isFound
}

function planValue(compilation: Compilation, type: GraphQLOutputType, nodes: FieldNodes): Complete {
  const isRequired = isNonNullType(type)
  const complete = planPresentValue(compilation, isRequired ? type.ofType : type, nodes)
  if (isRequired) return (value, execution, path) => (value == null ? fail() : complete(value, execution, path))
  return (value, execution, path) => (value == null ? null : complete(value, execution, path))
}

/** The completion of values other than null. */
function planPresentValue(compilation: Compilation, type: GraphQLOutputType, nodes: FieldNodes): Complete {
  if (isLeafType(type)) return (value) => (value instanceof Error ? fail() : (type.coerceOutputValue(value) ?? fail()))
  if (isListType(type)) return completeItems(planValue(compilation, type.ofType, nodes))
  if (!isObjectType(type) || type.isTypeOf) throw new NotCompilable(String(type))
  const plan = planObject(
    compilation,
    type,
    nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
  )
  return (value, execution, path) => (value instanceof Error ? fail() : completeObject(plan, value, execution, path))
}

const completeItems =
  (complete: Complete): Complete =>
  (values, execution, path) => {
    if (!Array.isArray(values)) return fail()
    const items: unknown[] = []
    for (const [key, value] of values.entries())
      execution.place(items, key, value, complete, path && { prev: path, key, typename: undefined })
    return items
  }
