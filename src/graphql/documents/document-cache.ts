import { createHash } from 'node:crypto'
import type { DocumentNode } from 'graphql'

// Sizes are in characters of source text, each of which takes up to 100 bytes in the parsed document.
const maxCharacters = 256 * 1024
const maxDocumentCharacters = 8 * 1024

interface Entry {
  document: DocumentNode
  /** SHA-256 of the source, in hexadecimal digits. */
  hash: string
}

export type DocumentCache = ReturnType<typeof createDocumentCache>

/** A cache of parsed documents by their source. Evicts the least recently used ones, so it takes at most 25 MB. */
export function createDocumentCache() {
  const entries = new Map<string, Entry>()
  const sources = new Map<string, string>()
  let characters = 0
  const evict = (source: string) => {
    const entry = entries.get(source)
    if (!entry) return
    characters -= source.length
    sources.delete(entry.hash)
    entries.delete(source)
  }
  return {
    isTrustedOnly: false,
    allows: () => true,
    /** Returns a document and makes it the most recently used one. */
    get(source: string): DocumentNode | undefined {
      const entry = entries.get(source)
      if (!entry) return undefined
      entries.delete(source)
      entries.set(source, entry)
      return entry.document
    },
    set(source: string, document: DocumentNode): void {
      if (source.length > maxDocumentCharacters) return
      evict(source)
      const hash = hashDocument(source)
      entries.set(source, { document, hash })
      sources.set(hash, source)
      characters += source.length
      for (const oldest of entries.keys()) {
        if (characters <= maxCharacters) break
        evict(oldest)
      }
    },
    /** Returns the source with this SHA-256, if it is cached. */
    getSource: (hash: string): string | undefined => sources.get(hash),
  }
}

export const hashDocument = (text: string): string => createHash('sha256').update(text).digest('hex')
