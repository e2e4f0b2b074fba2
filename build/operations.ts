import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { FieldDefinitionNode } from 'graphql'
import { filesIn, projectFolder } from './files.ts'
import { calculateFingerprint, stamp } from './step.ts'
import type { Step } from './step.ts'
import { codegenPackages, readText, schemaFile, writeTypedDocuments } from './typed-documents.ts'

/** Fragments that the account site and the command line both use. */
const sharedFiles = filesIn('schema/oauth', '.graphql')

/** Typed documents for the operations in the `.graphql` files of the account site and of the command line. */
export const operations: readonly Step[] = ['src/account-site', 'src/cli'].map((folder) => {
  const documentFiles = [...filesIn(folder, '.graphql'), ...sharedFiles]
  const fingerprint = calculateFingerprint(
    [schemaFile, ...documentFiles, 'build/operations.ts', 'build/typed-documents.ts'],
    codegenPackages,
  )
  const step = { output: path.join(folder, 'generated'), fingerprint, run: () => generate(step, documentFiles) }
  return step
})

async function generate(step: Step, documentFiles: readonly string[]): Promise<void> {
  const { parse, visit } = await import('graphql')
  const schema = visit(parse(readText(schemaFile)), { FieldDefinition: typeOfSuccess })
  mkdirSync(path.join(projectFolder, step.output), { recursive: true })
  await writeTypedDocuments(path.join(step.output, 'operations.ts'), documentFiles, schema)
  stamp(step)
}

/** See schema/builder/nullability.ts. */
const nullabilityDirectives = new Set(['semanticNonNull', 'nonNullOnSuccess'])

/** Pages and commands get data without errors, so a field that is null only in case of an error or a refusal is never null for them. */
function typeOfSuccess(field: FieldDefinitionNode): FieldDefinitionNode | undefined {
  const { type, directives = [] } = field
  if (type.kind === 'NonNullType' || !directives.some(({ name }) => nullabilityDirectives.has(name.value))) return undefined
  return { ...field, type: { kind: 'NonNullType', type } }
}
