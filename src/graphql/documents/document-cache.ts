import { createHash } from 'node:crypto'
import type { DocumentNode } from 'graphql'
import { compileQuery } from '../../../schema/compiled/compile-query.ts'
import type { CompiledQuery } from '../../../schema/compiled/compile-query.ts'
import { schema } from '../../../schema/index.ts'

// Sizes are in characters of source text, each of which takes up to 100 bytes in the parsed document. A field of a plan takes 520 to 810
// bytes, so it counts as 8 characters.
const maxCharacters = 256 * 1024
const maxDocumentCharacters = 8 * 1024
const charactersPerField = 8
/** Compiling takes a third of the time of an execution by graphql, so a document that is sent once is not compiled. */
const executionsBeforeCompilation = 3

interface Entry {
  document: DocumentNode
  /** SHA-256 of the source, in hexadecimal digits. */
  hash: string
  executions: number
  compiled: CompiledQuery | null
  characters: number
}

export type DocumentCache = ReturnType<typeof createDocumentCache>

/** A cache of parsed and compiled documents by their source. Evicts the least recently used ones, so it takes at most 25 MB. */
export function createDocumentCache() {
  const entries = new Map<string, Entry>()
  const sources = new Map<string, string>()
  let characters = 0
  const evict = (source: string) => {
    const entry = entries.get(source)
    if (!entry) return
    characters -= entry.characters
    sources.delete(entry.hash)
    entries.delete(source)
  }
  const add = (source: string, entry: Entry) => {
    evict(source)
    entries.set(source, entry)
    sources.set(entry.hash, source)
    characters += entry.characters
    for (const oldest of entries.keys()) {
      if (characters <= maxCharacters) break
      evict(oldest)
    }
  }
  /** Returns an entry and makes it the most recently used one. */
  const use = (source: string): Entry | undefined => {
    const entry = entries.get(source)
    if (!entry) return undefined
    entries.delete(source)
    entries.set(source, entry)
    return entry
  }
  return {
    isTrustedOnly: false,
    allows: () => true,
    get: (source: string): DocumentNode | undefined => use(source)?.document,
    set(source: string, document: DocumentNode): void {
      if (source.length > maxDocumentCharacters) return
      add(source, { document, hash: sha256Hex(source), executions: 0, compiled: null, characters: source.length })
    },
    /** The source with this SHA-256, if it is cached. */
    sourceOf: (hash: string): string | undefined => sources.get(hash),
    /** The compiled query, or null if graphql must execute the document. */
    getCompiled: (source: string): CompiledQuery | null => use(source)?.compiled ?? null,
    /** Counts an execution of a valid document by graphql, and compiles the document after some executions. */
    countExecution(source: string): void {
      const entry = entries.get(source)
      if (!entry || ++entry.executions !== executionsBeforeCompilation) return
      const compiled = compileQuery(schema, entry.document)
      if (compiled) add(source, { ...entry, compiled, characters: source.length + compiled.fieldCount * charactersPerField })
    },
  }
}

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
