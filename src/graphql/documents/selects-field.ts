import { BREAK, visit } from 'graphql'
import type { DocumentNode } from 'graphql'

/** Returns true if a document selects a field with one of these names, in any type. */
export function selectsField(document: DocumentNode, names: readonly string[]): boolean {
  let isSelected = false
  visit(document, {
    Field({ name }) {
      if (!names.includes(name.value)) return
      isSelected = true
      return BREAK
    },
  })
  return isSelected
}

/** Returns the number of selections of a field with this name in a document, in any type. */
export function countFields(document: DocumentNode, name: string): number {
  let count = 0
  visit(document, { Field: (node) => void (count += node.name.value === name ? 1 : 0) })
  return count
}
