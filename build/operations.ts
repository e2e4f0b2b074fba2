import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
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
  const { buildSchema, parse } = await import('graphql')
  const schemaText = read(schemaFile)
  const target = path.join(projectFolder, operations.output, 'operations.ts')
  const text = await codegen({
    filename: target,
    schema: parse(schemaText),
    schemaAst: buildSchema(schemaText),
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

const read = (file: string) => readFileSync(path.join(projectFolder, file), 'utf8')
