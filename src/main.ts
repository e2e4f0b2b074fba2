import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { projectFolder } from '../schema/core/project-folder.ts'

// V8 keeps what it compiles during the first start for later ones. It has to know before the service is loaded, so this file
// imports nothing else. In a folder that cannot be written, the service starts without.
enableCompileCache(path.join(projectFolder, 'dist', 'compile-cache'))

const { main } = await import('./service/start.ts')
await main()
