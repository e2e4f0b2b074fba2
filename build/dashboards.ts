import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { filesIn, projectFolder, writeWhole } from './files.ts'
import { calculateFingerprint, stamp } from './step.ts'
import type { Step } from './step.ts'
import { codegenPackages, readText, schemaFile, writeTypedDocuments } from './typed-documents.ts'

const documentFiles = filesIn('src/graphql/dashboards', '.graphql')

/** The documents of the dashboards: typed for clients, which tests run, and as the text that GraphiQL offers as examples. */
export const dashboards: Step = {
  output: 'src/graphql/generated',
  fingerprint: calculateFingerprint([schemaFile, ...documentFiles, 'build/dashboards.ts', 'build/typed-documents.ts'], codegenPackages),
  run: generate,
}

async function generate(): Promise<void> {
  const { parse } = await import('graphql')
  mkdirSync(path.join(projectFolder, dashboards.output), { recursive: true })
  await writeTypedDocuments(path.join(dashboards.output, 'dashboards.ts'), documentFiles, parse(readText(schemaFile)))
  const texts = Object.fromEntries(documentFiles.map((file) => [path.basename(file, '.graphql'), readText(file)]))
  const examples = `/** The text of each document, by the name of its file. */\nexport const texts = ${JSON.stringify(texts, null, 2)}\n`
  writeWhole(path.join(projectFolder, dashboards.output, 'texts.ts'), examples)
  stamp(dashboards)
}
