import { printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../schema/index.ts'

// `npm run schema` writes the file anew; a change of what is published is then seen in the commit.
test('schema/schema.graphql is the schema, printed', async () => {
  await expect(`${printSchema(schema)}\n`).toMatchFileSnapshot('../../schema/schema.graphql')
})
