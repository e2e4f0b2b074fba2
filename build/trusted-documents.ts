import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Kind, concatAST, parse, print, separateOperations, validate } from 'graphql'
import type { DefinitionNode } from 'graphql'
import { schema } from '../schema/index.ts'
import { writeWhole } from './files.ts'

interface TrustedDocument {
  /** SHA-256 of the body, in hexadecimal digits. */
  id: string
  name: string
  type: string
  body: string
}

/**
 * Writes the manifest for TRUSTED_DOCUMENTS in the form of Apollo's clients: a document for each operation in the files, with the fragments
 * that it uses. Throws if an operation is invalid or has no name.
 */
export function writeTrustedDocuments(manifest: string, files: readonly string[]): TrustedDocument[] {
  const document = concatAST(files.map((file) => parse(readFileSync(file, 'utf8'), { noLocation: true })))
  const [mismatch] = validate(schema, document)
  if (mismatch) throw new Error(mismatch.message)
  const operations = Object.values(separateOperations(document)).map((each) => describe(each.definitions, print(each)))
  if (operations.length === 0) throw new Error('the files contain no operation')
  const content = { format: 'apollo-persisted-query-manifest', version: 1, operations }
  writeWhole(manifest, `${JSON.stringify(content, null, 2)}\n`)
  return operations
}

function describe(definitions: readonly DefinitionNode[], body: string): TrustedDocument {
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)
  if (!operation?.name) throw new Error('an operation has no name')
  return { id: createHash('sha256').update(body).digest('hex'), name: operation.name.value, type: operation.operation, body }
}

/** `npm run trusted-documents -- MANIFEST FILE…` */
if (import.meta.main) {
  const [manifest, ...files] = process.argv.slice(2)
  try {
    if (manifest === undefined || files.length === 0) throw new Error('usage: npm run trusted-documents -- MANIFEST.json FILE.graphql …')
    const operations = writeTrustedDocuments(path.resolve(manifest), files)
    console.log(`wrote ${operations.length} ${operations.length === 1 ? 'document' : 'documents'} to ${manifest}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
