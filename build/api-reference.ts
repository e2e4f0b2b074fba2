import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { writeCompressed } from './compressed-files.ts'
import { projectFolder } from './files.ts'
import { calculateFingerprint, stamp } from './step.ts'
import type { Step } from './step.ts'

/**
 * Scalar's API reference as one file that browsers load. Scalar's plugin for Fastify contains this file as a string; the package of the
 * reference itself would install 240 others.
 */
export const apiReference: Step = {
  output: path.join('dist', 'api-reference'),
  fingerprint: calculateFingerprint(['build/api-reference.ts', 'build/compressed-files.ts'], ['@scalar/fastify-api-reference']),
  run: extract,
}

async function extract(): Promise<void> {
  const plugin = readFileSync(new URL(import.meta.resolve('@scalar/fastify-api-reference')), 'utf8')
  const literal = /^var standalone_default = (".*");$/m.exec(plugin)?.[1]
  if (literal === undefined) throw new Error('@scalar/fastify-api-reference no longer contains the reference in the expected form')
  const script: unknown = runInNewContext(literal)
  const target = path.join(projectFolder, apiReference.output)
  mkdirSync(target, { recursive: true })
  await writeCompressed(path.join(target, 'standalone.js'), String(script).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
  stamp(apiReference)
}
