import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder, writeWhole } from './files.ts'

/** A step of the build, which generates one folder of files. */
export interface Step {
  /** The folder, relative to the project folder. */
  output: string
  /** A hash of all inputs. The output is current if its `.made-from` file holds the same hash. */
  fingerprint: string
  run(): Promise<void>
}

/** An error in the sources. Its message is enough to find it. */
export class BuildError extends Error {}

/** Whether the output is missing or was generated from other inputs. */
export function isStale({ output, fingerprint }: Step): boolean {
  return !existsSync(getStamp(output)) || readFileSync(getStamp(output), 'utf8') !== fingerprint
}

const getStamp = (output: string) => path.join(projectFolder, output, '.made-from')

/** Records the inputs of the output, as the last action of a step. */
export function stamp({ output, fingerprint }: Step): void {
  writeWhole(getStamp(output), fingerprint)
}

/** SHA-256 of the names and contents of files, of the installed versions of packages, and of `more`. */
export function calculateFingerprint(files: readonly string[], packages: readonly string[], ...more: string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(path.join(projectFolder, file)))
  const versions = packages.map((name) => dependencies[name] ?? devDependencies[name])
  return hash.update(JSON.stringify([versions, more])).digest('hex')
}

/** Versions of packages, from package.json. */
export const { dependencies, devDependencies }: Pins = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'))

type Pins = Record<'dependencies' | 'devDependencies', Record<string, string | undefined>>
