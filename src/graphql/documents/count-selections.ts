import { visit } from 'graphql'
import type { DocumentNode } from 'graphql'

/** The number of selections of each field name. Documents are cached, so each is read once. */
const selectionsOfDocuments = new WeakMap<DocumentNode, Map<string, number>>()

/** Returns how often a document selects the fields with a name, in any type. */
export function countSelections(document: DocumentNode, name: string): number {
  let counts = selectionsOfDocuments.get(document)
  if (!counts) {
    counts = readSelections(document)
    selectionsOfDocuments.set(document, counts)
  }
  return counts.get(name) ?? 0
}

/** Returns true if a document selects a field with one of these names, in any type. */
export const selectsField = (document: DocumentNode, names: readonly string[]): boolean =>
  names.some((name) => countSelections(document, name) > 0)

function readSelections(document: DocumentNode): Map<string, number> {
  const counts = new Map<string, number>()
  visit(document, { Field: ({ name }) => void counts.set(name.value, (counts.get(name.value) ?? 0) + 1) })
  return counts
}
