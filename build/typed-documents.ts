import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { DocumentNode } from 'graphql'
import { projectFolder, writeWhole } from './files.ts'
import { BuildError } from './step.ts'

export const schemaFile = 'schema/schema.graphql'

/** The packages that generate typed documents. */
export const codegenPackages = ['@graphql-codegen/core', '@graphql-codegen/typed-document-node', '@graphql-codegen/typescript-operations']

/** Writes a module with a typed document for each operation of the files. `schema` determines which fields can be null. */
export async function writeTypedDocuments(target: string, documentFiles: readonly string[], schema: DocumentNode): Promise<void> {
  const { codegen } = await import('@graphql-codegen/core')
  const typedDocuments = await import('@graphql-codegen/typed-document-node')
  const operationTypes = await import('@graphql-codegen/typescript-operations')
  const { buildASTSchema, parse } = await import('graphql')
  const filename = path.join(projectFolder, target)
  const text = await codegen({
    filename,
    schema,
    schemaAst: buildASTSchema(schema),
    documents: documentFiles.map((location) => ({ location, document: parse(readText(location), { noLocation: true }) })),
    config: {
      useTypeImports: true,
      enumsAsTypes: true,
      enumType: 'string-literal',
      skipTypename: true,
      strictScalars: true,
      scalars: { ID: 'string', DateTime: 'string', Date: 'string', MinorUnits: 'number', JSON: 'Record<string, unknown>' },
      documentMode: 'documentNode',
    },
    plugins: [{ operationTypes: {} }, { typedDocuments: {} }],
    pluginMap: { operationTypes, typedDocuments },
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BuildError(`${target}: ${reason}\nIf schema/ declares it, ${schemaFile} is stale: run npm run schema.`)
  })
  writeWhole(filename, text)
}

/** Reads a file of the project. */
export const readText = (file: string) => readFileSync(path.join(projectFolder, file), 'utf8')
