import { BREAK, visit } from 'graphql'
import type { DocumentNode } from 'graphql'

/** Whether a document selects a field with one of these names, in any type. */
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
