import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'

const printSchema = `
  import { printSchemaWithDirectives } from '@graphql-tools/utils'
  import { schema } from './schema/index.ts'
  console.log(printSchemaWithDirectives(schema))
`

// `npm run schema` regenerates the file, so that a commit shows every change of the published schema. The schema is
// printed in a child process: the order of fields depends on the import order, and test files share loaded modules.
test('schema/schema.graphql contains the current schema', async () => {
  const printedSchema = execFileSync(process.execPath, ['--input-type=module', '--eval', printSchema], { cwd: projectFolder })
  await expect(printedSchema.toString()).toMatchFileSnapshot('../../schema/schema.graphql')
})
