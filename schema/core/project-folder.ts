import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * The folder of package.json. Paths of files that are read at run time start here, because `import.meta.dirname` differs between a source
 * file and the bundle in `dist/`.
 */
export const projectFolder = findProjectFolder(import.meta.dirname)

function findProjectFolder(folder: string): string {
  if (existsSync(path.join(folder, 'package.json'))) return folder
  const parent = path.dirname(folder)
  if (parent === folder) throw new Error('no package.json in this folder or above it')
  return findProjectFolder(parent)
}
