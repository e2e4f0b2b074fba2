import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { FieldDefinitionNode } from 'graphql'
import { filesIn, projectFolder } from './files.ts'
import { fingerprintOf, stamp } from './step.ts'
import type { Step } from './step.ts'
import { codegenPackages, readText, schemaFile, writeTypedDocuments } from './typed-documents.ts'

const documentFiles = filesIn('src/account-site', '.graphql')

/** A typed document for each operation in the account site's `.graphql` files. */
export const operations: Step = {
  output: 'src/account-site/generated',
  fingerprint: fingerprintOf([schemaFile, ...documentFiles, 'build/operations.ts', 'build/typed-documents.ts'], codegenPackages),
  run: generate,
}

async function generate(): Promise<void> {
  const { parse, visit } = await import('graphql')
  const schema = visit(parse(readText(schemaFile)), { FieldDefinition: typeOfSuccess })
  mkdirSync(path.join(projectFolder, operations.output), { recursive: true })
  await writeTypedDocuments(path.join(operations.output, 'operations.ts'), documentFiles, schema)
  stamp(operations)
}

/** See schema/builder/nullability.ts. */
const nullabilityDirectives = new Set(['semanticNonNull', 'nonNullOnSuccess'])

/** Pages get data without errors, so a field that is null only in case of an error or a refusal is never null for them. */
function typeOfSuccess(field: FieldDefinitionNode): FieldDefinitionNode | undefined {
  const { type, directives = [] } = field
  if (type.kind === 'NonNullType' || !directives.some(({ name }) => nullabilityDirectives.has(name.value))) return undefined
  return { ...field, type: { kind: 'NonNullType', type } }
}
