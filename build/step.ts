import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The folder of package.json; every path in `build/` is relative to it. */
export const projectFolder = path.join(import.meta.dirname, '..')

/** A step of the build, which generates one folder of files. */
export interface Step {
  /** The folder, relative to the project folder. */
  output: string
  /** A hash of all inputs. The output is current if its `.made-from` file holds the same hash. */
  fingerprint: string
  run(): Promise<void>
}

/** Whether the output is missing or was generated from other inputs. */
export function isStale({ output, fingerprint }: Step): boolean {
  const stamp = stampOf(output)
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint
}

const stampOf = (output: string) => path.join(projectFolder, output, '.made-from')

/** Records the inputs of the output, as the last action of a step. */
export function stamp({ output, fingerprint }: Step): void {
  writeWhole(stampOf(output), fingerprint)
}

/** SHA-256 of the names and contents of files, of the installed versions of packages, and of `more`. */
export function fingerprintOf(files: readonly string[], packages: readonly string[], ...more: string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(path.join(projectFolder, file)))
  const versions = packages.map((name) => dependencies[name] ?? devDependencies[name])
  return hash.update(JSON.stringify([versions, more])).digest('hex')
}

/**
 * The files below `folder` with one of these endings, sorted, without generated ones and without the temporary folders of
 * other builds, whose names start with a dot. (`globSync` takes five times as long.)
 */
export function filesIn(folder: string, ...endings: string[]): string[] {
  return readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => endings.includes(path.extname(file)) && !file.split(path.sep).some((part) => part === 'generated' || part.startsWith('.')),
    )
    .map((file) => path.join(folder, file))
    .toSorted()
}

/** Versions of packages, from package.json. */
export const { dependencies, devDependencies }: Pins = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'))

type Pins = Record<'dependencies' | 'devDependencies', Record<string, string | undefined>>

/** Replaces a file in one step: a reader finds the old or the new content, also when two processes build at once. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, file)
}
