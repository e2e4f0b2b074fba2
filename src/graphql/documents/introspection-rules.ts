import { GraphQLError, Kind } from 'graphql'
import type { FieldNode, SelectionSetNode, ValidationContext, ValidationRule } from 'graphql'

// Fields of introspection do not count towards the cost of a document (limits.ts), and GraphQL's own rule limits only their depth.

/** Refuses aliases in introspection, which could repeat it any number of times. No known tool uses aliases there. */
const introspectionWithoutAliases: ValidationRule = (context) => ({
  Field(node) {
    const isSchema = node.name.value === '__schema'
    if (node.alias && (isSchema || context.getParentType()?.name.startsWith('__')))
      context.reportError(new GraphQLError('Fields of introspection take no alias here.', { nodes: node }))
  },
})

/** Lists in the description of a type. Tools read them for each type, and only names of the types that they refer to. */
const listsOfType = new Set(['fields', 'interfaces', 'possibleTypes', 'inputFields', 'enumValues'])

/** Refuses nested lists of types, such as the fields of the types of fields, because their lengths multiply. */
const introspectionWithoutNestedLists: ValidationRule = (context) => {
  const isList = ({ name }: FieldNode) => listsOfType.has(name.value)
  const hasList = createSearch((name) => context.getFragment(name), isList)
  const hasNestedList = createSearch(
    (name) => context.getFragment(name),
    (field) => isList(field) && hasList(field.selectionSet),
  )
  // The check runs after the fields in it, for which the other rule has a better message.
  const leave = (node: FieldNode) => {
    if ((node.name.value === '__schema' || node.name.value === '__type') && hasNestedList(node.selectionSet))
      context.reportError(
        new GraphQLError('Lists of introspection cannot be nested, such as fields of the types of fields.', { nodes: node }),
      )
  }
  return { Field: { leave } }
}

export const introspectionRules: readonly ValidationRule[] = [introspectionWithoutAliases, introspectionWithoutNestedLists]

type FragmentSource = (name: string) => ReturnType<ValidationContext['getFragment']>

/** Returns a function that tells if a selection contains a field at any depth. It reads each fragment once. */
function createSearch(getFragment: FragmentSource, isWanted: (field: FieldNode) => boolean) {
  const byFragment = new Map<string, boolean>()
  const search = (selectionSet: SelectionSetNode | undefined): boolean =>
    (selectionSet?.selections ?? []).some((selection) => {
      if (selection.kind === Kind.FIELD) return isWanted(selection) || search(selection.selectionSet)
      return selection.kind === Kind.INLINE_FRAGMENT ? search(selection.selectionSet) : searchFragment(selection.name.value)
    })
  function searchFragment(name: string): boolean {
    const cached = byFragment.get(name)
    if (cached !== undefined) return cached
    // Another rule reports a fragment that spreads itself.
    byFragment.set(name, false)
    const isFound = search(getFragment(name)?.selectionSet)
    byFragment.set(name, isFound)
    return isFound
  }
  return search
}
