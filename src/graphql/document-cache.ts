import type { DocumentNode } from 'graphql'

// Counted in characters of text: a parsed document takes up to a hundred bytes for each.
const charactersAtMost = 256 * 1024
const charactersOfOne = 8 * 1024

/** Parsed documents by their text, the least recently used forgotten first: some 25 MB however many are sent. */
export function createDocumentCache() {
  const documents = new Map<string, DocumentNode>()
  let characters = 0
  const forget = (text: string) => {
    if (documents.delete(text)) characters -= text.length
  }
  return {
    get(text: string): DocumentNode | undefined {
      const document = documents.get(text)
      if (!document) return undefined
      documents.delete(text)
      documents.set(text, document)
      return document
    },
    set(text: string, document: DocumentNode): void {
      if (text.length > charactersOfOne) return
      forget(text)
      documents.set(text, document)
      characters += text.length
      for (const oldest of documents.keys()) {
        if (characters <= charactersAtMost) break
        forget(oldest)
      }
    },
  }
}
