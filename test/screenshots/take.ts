import path from 'node:path'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { takeReadmeScreenshots } from './readme.ts'

// `npm run screenshots` takes the screenshots of the README. With `--all`, it takes every page in two sizes and two themes.

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    /** The beginning of a path, such as `/teams/:team/invoices` or `/tokens`: only these pages. */
    only: { type: 'string', default: '' },
    folder: { type: 'string' },
  },
})

if (values.all) {
  const folder = path.resolve(values.folder ?? path.join(projectFolder, 'screenshots'))
  Object.assign(process.env, { SCREENSHOTS_FOLDER: folder, SCREENSHOTS_ONLY: values.only })
  const vitest = await startVitest('test', [], { root: projectFolder, include: ['test/screenshots/all-pages.ts'], watch: false })
  await vitest.close()
  process.stdout.write(`The screenshots are in ${folder}.\n`)
} else await takeReadmeScreenshots(path.resolve(values.folder ?? import.meta.dirname))
