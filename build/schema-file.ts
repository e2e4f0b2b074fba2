import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { printSchemaWithDirectives } from '@graphql-tools/utils'
import { schema } from '../schema/index.ts'
import { projectFolder } from './files.ts'

/**
 * `npm run schema`: writes the GraphQL schema to schema/schema.graphql. The file is committed, so that a change of the public API is
 * visible in review. The typed operations of the account site and of the command line are generated from it.
 */
writeFileSync(path.join(projectFolder, 'schema', 'schema.graphql'), `${printSchemaWithDirectives(schema)}\n`)
