import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FieldDefinitionNode } from 'graphql'
import { filesIn, projectFolder, writeWhole } from './files.ts'
import { fingerprintOf, stamp } from './step.ts'
import type { Step } from './step.ts'

const schemaFile = 'schema/schema.graphql'
const documentFiles = filesIn('src/account-site', '.graphql')
const packages = ['@graphql-codegen/core', '@graphql-codegen/typed-document-node', '@graphql-codegen/typescript-operations']

/** A typed document for each operation in the account site's `.graphql` files. */
export const operations: Step = {
  output: 'src/account-site/generated',
  fingerprint: fingerprintOf([schemaFile, ...documentFiles, 'build/operations.ts'], packages),
  run: generate,
}

async function generate(): Promise<void> {
  const { codegen } = await import('@graphql-codegen/core')
  const typedDocuments = await import('@graphql-codegen/typed-document-node')
  const operationTypes = await import('@graphql-codegen/typescript-operations')
  const { buildASTSchema, parse, visit } = await import('graphql')
  const schema = visit(parse(read(schemaFile)), { FieldDefinition: typeOfSuccess })
  const target = path.join(projectFolder, operations.output, 'operations.ts')
  const text = await codegen({
    filename: target,
    schema,
    schemaAst: buildASTSchema(schema),
    documents: documentFiles.map((location) => ({ location, document: parse(read(location), { noLocation: true }) })),
    config: {
      useTypeImports: true,
      enumsAsTypes: true,
      enumType: 'string-literal',
      skipTypename: true,
      strictScalars: true,
      scalars: { ID: 'string', DateTime: 'string', Date: 'string', MinorUnits: 'number' },
      documentMode: 'documentNode',
    },
    plugins: [{ operationTypes: {} }, { typedDocuments: {} }],
    pluginMap: { operationTypes, typedDocuments },
  })
  mkdirSync(path.dirname(target), { recursive: true })
  writeWhole(target, text)
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

const read = (file: string) => readFileSync(path.join(projectFolder, file), 'utf8')
