import path from 'node:path'
import { startVitest } from 'vitest/node'
import { projectFolder } from '../../schema/core/project-folder.ts'

// `node test/responses/record.ts FOLDER` writes the responses of the service into the folder, one file each, so that `diff -r` shows what
// a refactoring changed. vitest compiles the pages whose declarations are read.

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node test/responses/record.ts FOLDER')
process.env.RESPONSES_FOLDER = path.resolve(folder)
const vitest = await startVitest('test', [], { root: projectFolder, include: ['test/responses/responses.ts'], watch: false })
await vitest.close()
