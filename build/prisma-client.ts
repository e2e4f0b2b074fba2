import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { projectFolder } from './files.ts'
import { BuildError, calculateFingerprint, isStale } from './step.ts'
import type { Step } from './step.ts'

const require = createRequire(import.meta.url)
const inputs = ['prisma/schema.prisma', 'build/prisma-client.ts']

/** Prisma's client and the types of Pothos, from schema.prisma. */
export const prismaClient: Step = {
  output: 'prisma/generated',
  fingerprint: calculateFingerprint(inputs, ['prisma', '@pothos/plugin-prisma']),
  run: generate,
}

/**
 * Generates in a temporary folder and renames the result. A process that is killed leaves the old files, and two
 * processes never write to the same folder.
 */
async function generate(): Promise<void> {
  const folder = path.join(projectFolder, 'prisma')
  const output = path.join(folder, 'generated')
  const temporary = path.join(folder, `.generating-${process.pid}`)
  mkdirSync(temporary)
  try {
    cpSync(path.join(folder, 'schema.prisma'), path.join(temporary, 'schema.prisma'))
    await runGenerators(temporary)
    writeFileSync(path.join(temporary, 'generated', '.made-from'), prismaClient.fingerprint)
    // Files that another process has generated meanwhile stay: others may be reading them.
    if (existsSync(output) && isStale(prismaClient)) renameSync(output, path.join(temporary, 'replaced'))
    renameSync(path.join(temporary, 'generated'), output)
  } catch (error) {
    // Not empty if another process has renamed its own result first.
    if (isStale(prismaClient)) throw error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Runs the generators that schema.prisma names. The error of a failure is what Prisma writes about it. */
async function runGenerators(folder: string): Promise<void> {
  const program = path.join(path.dirname(require.resolve('prisma/package.json')), 'build', 'index.js')
  const child = spawn(process.execPath, [program, 'generate', '--schema', path.join(folder, 'schema.prisma'), '--no-hints'], {
    cwd: projectFolder,
    env: {
      ...process.env,
      // Prisma downloads a schema engine unless this names an existing file. `generate` never runs it.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      // No search for updates and no usage data: the build does not use the network.
      CHECKPOINT_DISABLE: '1',
      NO_COLOR: '1',
      // The generator of Pothos is a command of its package.
      PATH: [path.join(projectFolder, 'node_modules', '.bin'), process.env['PATH']].join(path.delimiter),
    },
  })
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (status !== 0) throw new BuildError((errors || output).trim().replaceAll(path.relative(projectFolder, folder), 'prisma'))
}
