import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { projectFolder, writeWhole } from './files.ts'
import { fingerprintOf, stamp } from './step.ts'
import type { Step } from './step.ts'

/**
 * The part of Scalar's API reference that browsers load. A copy, because the package installs 250 others, of which the
 * service needs none: all are development dependencies.
 */
export const apiReference: Step = {
  output: path.join('dist', 'api-reference'),
  fingerprint: fingerprintOf(['build/api-reference.ts'], ['@scalar/api-reference']),
  run: copy,
}

async function copy(): Promise<void> {
  const packageFolder = path.dirname(import.meta.resolve('@scalar/api-reference').replace('file://', ''))
  const source = path.join(packageFolder, 'browser')
  const target = path.join(projectFolder, apiReference.output)
  mkdirSync(path.join(target, 'chunks'), { recursive: true })
  const chunks = readdirSync(path.join(source, 'chunks')).filter((name) => name.endsWith('.js'))
  // The entry point last: the files that it imports already exist when another process serves it.
  for (const file of [...chunks.map((name) => path.join('chunks', name)), 'standalone.esm.js'])
    writeWhole(path.join(target, file), readFileSync(path.join(source, file), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
  for (const name of readdirSync(path.join(target, 'chunks')))
    // A build that runs at the same time writes its files under other names and renames them when they are complete.
    if (name.endsWith('.js') && !chunks.includes(name)) rmSync(path.join(target, 'chunks', name), { force: true })
  stamp(apiReference)
}
