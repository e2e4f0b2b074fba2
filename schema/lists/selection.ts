import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql'
import { Kind } from 'graphql'

type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>

/** The cached names never change, because a node belongs to one document. */
const namesByNode = new WeakMap<FieldNode, ReadonlySet<string>>()

/**
 * Returns true if a field's selection contains one of the names, so that its resolver loads only what is selected. Directives are not
 * evaluated: a field that `@skip` removes counts as selected.
 */
export const selects = ({ fieldNodes, fragments }: Selection, ...names: string[]): boolean =>
  fieldNodes.some((node) => {
    const selected = namesByNode.get(node) ?? listNames(node, fragments)
    return names.some((name) => selected.has(name))
  })

function listNames(node: FieldNode, fragments: Selection['fragments']): ReadonlySet<string> {
  const names = new Set<string>()
  const visited = new Set<string>()
  const collect = (selectionSet: SelectionSetNode | undefined) => {
    for (const selection of selectionSet?.selections ?? []) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value)
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        collect(fragments[selection.name.value]?.selectionSet)
      }
    }
  }
  collect(node.selectionSet)
  namesByNode.set(node, names)
  return names
}
