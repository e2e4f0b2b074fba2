import module from 'node:module'
import path from 'node:path'
import { projectFolder } from '../schema/core/project-folder.ts'
import { refuseOldNode } from './processes/node-version.ts'

refuseOldNode()

/**
 * Options of V8, which are set only here (docs/decisions/memory.md). Sizes cannot be set while V8 runs, so the process replaces
 * itself; its number, files and environment stay the same. Workers inherit the options. Windows has no `execve`.
 */
const v8Options = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--initial-old-space-size=64',
  '--heap-growing-percent=20',
  '--no-allocation-site-pretenuring',
  '--no-maglev',
]
if (v8Options.some((option) => !process.execArgv.includes(option)))
  process.execve?.(process.execPath, [process.execPath, ...v8Options, ...process.execArgv, ...process.argv.slice(1)])

// V8 stores the code that it compiles during the first start for later starts. This must be set before the service is loaded, so this file
// imports nothing else at first. In a folder that is not writable, the service starts without it.
module.enableCompileCache(path.join(projectFolder, 'dist', 'compile-cache'))

const { main } = await import('./service/start.ts')
await main()
