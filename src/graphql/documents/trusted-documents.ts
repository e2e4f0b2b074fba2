import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { schema } from '../../../schema/index.ts'
import { hashDocument } from './document-cache.ts'
import { parseDocument } from './parse-document.ts'
import { validateDocument } from './validate-document.ts'
import type { ClientDocuments } from './persisted-queries.ts'

/** The manifest format of Apollo, which `npm run trusted-documents` writes. */
const apolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string().min(1), body: z.string().min(1) })),
})
/** The manifest format of Relay and of GraphQL Code Generator: documents by their identifiers. */
const documentsById = z.record(z.string().min(1), z.string().min(1))

/**
 * Reads the only documents that the service executes. Throws an error with the name of the setting if the file cannot be read, has another
 * form, or contains a document that does not match this schema.
 */
export function readTrustedDocuments(file: string): ClientDocuments {
  const byId = new Map<string, string>()
  for (const [id, body] of listEntries(file)) {
    const hash = hashDocument(body)
    if (/^[0-9a-f]{64}$/.test(id) && id !== hash) throw broken(file, `the document ${id} has the SHA-256 ${hash}`)
    const problem = findProblem(body)
    if (problem !== null) throw broken(file, `the document ${id} is invalid: ${problem}`)
    byId.set(id, body).set(hash, body)
  }
  return { isTrustedOnly: true, getSource: (id) => byId.get(id), allows: (query) => byId.has(hashDocument(query)) }
}

function listEntries(file: string): [id: string, body: string][] {
  const content = readContent(file)
  const apollo = apolloManifest.safeParse(content)
  if (apollo.success) return apollo.data.operations.map(({ id, body }) => [id, body])
  const byId = documentsById.safeParse(content)
  if (byId.success) return Object.entries(byId.data)
  throw broken(file, 'it is neither a manifest of Apollo nor an object of documents by identifier')
}

function readContent(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw broken(file, error instanceof SyntaxError ? 'it is not valid JSON' : 'it cannot be read', error)
  }
}

function findProblem(body: string): string | null {
  try {
    return validateDocument(schema, parseDocument(body))[0]?.message ?? null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const broken = (file: string, reason: string, cause?: unknown) => new Error(`TRUSTED_DOCUMENTS ${file}: ${reason}`, { cause })
