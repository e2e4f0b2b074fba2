import { Kind, isAbstractType } from 'graphql'
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLObjectType,
  GraphQLResolveInfo,
  InlineFragmentNode,
  SelectionSetNode,
} from 'graphql'

/** The part of `GraphQLResolveInfo` that all fields of an operation share. */
export type OperationInfo = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'operation'>
/** The fields of one response name, which are merged: their arguments are equal. */
export type FieldNodes = readonly [FieldNode, ...FieldNode[]]

/** The fields that the selection sets select of an object, by their names in the response (GraphQL §6.3.2), without directives. */
export function collectFields(
  info: OperationInfo,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): ReadonlyMap<string, FieldNodes> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>()
  const visitedFragments = new Set<string>()
  const collect = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        const nodes = fields.get(key)
        if (nodes) nodes.push(selection)
        else fields.set(key, [selection])
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (appliesTo(info, selection, type)) collect(selection.selectionSet)
      } else if (!visitedFragments.has(selection.name.value)) {
        visitedFragments.add(selection.name.value)
        const fragment = info.fragments[selection.name.value]
        if (fragment && appliesTo(info, fragment, type)) collect(fragment.selectionSet)
      }
    }
  }
  selectionSets.forEach(collect)
  return fields
}

function appliesTo(
  { schema }: OperationInfo,
  { typeCondition }: InlineFragmentNode | FragmentDefinitionNode,
  type: GraphQLObjectType,
): boolean {
  const condition = typeCondition ? schema.getType(typeCondition.name.value) : type
  return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type))
}
