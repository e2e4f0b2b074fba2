import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The folder of package.json; every path in `build/` is relative to it. */
export const projectFolder = path.join(import.meta.dirname, '..')

/**
 * Returns the files below `folder` with one of these endings, sorted. Omits generated files and the temporary folders of other builds,
 * whose names start with a dot. (`globSync` takes five times as long.)
 */
export function filesIn(folder: string, ...endings: string[]): string[] {
  return readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => endings.includes(path.extname(file)) && !file.split(path.sep).some((part) => part === 'generated' || part.startsWith('.')),
    )
    .map((file) => path.join(folder, file))
    .toSorted()
}

/** Replaces a file in one step, so that a reader finds the old or the new content, even if two processes build at once. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, file)
}
