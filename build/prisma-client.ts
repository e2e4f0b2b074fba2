import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectFolder } from './files.ts'
import { fingerprintOf, isStale } from './step.ts'
import type { Step } from './step.ts'

const inputs = ['prisma/schema.prisma', 'prisma/prisma.config.ts', 'build/prisma-client.ts']

/** Prisma's client and the types of Pothos, from schema.prisma. */
export const prismaClient: Step = {
  output: 'prisma/generated',
  fingerprint: fingerprintOf(inputs, ['prisma', '@pothos/plugin-prisma']),
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
    for (const name of ['schema.prisma', 'prisma.config.ts']) cpSync(path.join(folder, name), path.join(temporary, name))
    await runPrisma(temporary)
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

async function runPrisma(folder: string): Promise<void> {
  const prisma = createRequire(import.meta.url).resolve('prisma/package.json')
  const program = path.join(path.dirname(prisma), 'build', 'index.js')
  await promisify(execFile)(process.execPath, [program, 'generate', '--config', path.join(folder, 'prisma.config.ts'), '--no-hints'], {
    cwd: folder,
    env: {
      ...process.env,
      // Prisma downloads a schema engine unless this names an existing file. `generate` never runs it.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      // No update check and no telemetry: the build must work, without delay, when there is no network.
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    },
  })
}
