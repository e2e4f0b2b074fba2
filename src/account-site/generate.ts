import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * `npm run generate`: makes src/account-site/generated/operations.ts, a typed document for each operation in the
 * `.graphql` files beside the pages, when it is not yet made from them. Runs before every start.
 */
const folder = import.meta.dirname
const root = path.join(folder, '..', '..')
const target = path.join(folder, 'generated', 'operations.ts')
const schemaText = readFileSync(path.join(root, 'schema', 'schema.graphql'), 'utf8')
const documents = globSync('**/*.graphql', { cwd: folder })
  .toSorted()
  .map((location) => ({ location, text: readFileSync(path.join(folder, location), 'utf8') }))

const stamp = `// Made by ${path.relative(root, import.meta.filename)} from ${fingerprint()}\n`
if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(stamp)) await generate()

/** Of all that the generated file depends on: schema, operations, the pinned versions of its generators, and this file. */
function fingerprint(): string {
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  const pins = Object.entries(dependencies).filter(([name]) => name.startsWith('@graphql-codegen/'))
  return createHash('sha256')
    .update(schemaText)
    .update(JSON.stringify([documents, pins]))
    .update(readFileSync(import.meta.filename))
    .digest('hex')
}

async function generate(): Promise<void> {
  // Loaded only where there is something to do.
  const { codegen } = await import('@graphql-codegen/core')
  const typedDocuments = await import('@graphql-codegen/typed-document-node')
  const operations = await import('@graphql-codegen/typescript-operations')
  const { buildSchema, parse } = await import('graphql')
  const text = await codegen({
    filename: target,
    schema: parse(schemaText),
    schemaAst: buildSchema(schemaText),
    documents: documents.map(({ location, text }) => ({ location, document: parse(text, { noLocation: true }) })),
    config: {
      useTypeImports: true,
      enumsAsTypes: true,
      enumType: 'string-literal',
      skipTypename: true,
      strictScalars: true,
      scalars: { ID: 'string', DateTime: 'string', Date: 'string', MinorUnits: 'number' },
      documentMode: 'documentNode',
    },
    plugins: [{ operations: {} }, { typedDocuments: {} }],
    pluginMap: { operations, typedDocuments },
  })
  mkdirSync(path.dirname(target), { recursive: true })
  // Whole or not at all, also where two generate at once.
  const draft = `${target}.${process.pid}`
  writeFileSync(draft, stamp + text)
  renameSync(draft, target)
}
