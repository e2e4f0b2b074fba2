import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/**
 * `npm run generate`: makes prisma/generated from schema.prisma when it is not yet made from it. Runs before every
 * start, so the way on which nothing is to do reads three small files and loads nothing.
 */
const folder = import.meta.dirname
const generated = path.join(folder, 'generated')
const wanted = fingerprint()
if (madeFrom(generated) !== wanted) generate()

/** Of all that the generated files depend on: the schema, the pinned versions of its generators, and this file. */
function fingerprint(): string {
  const pins = JSON.parse(readFileSync(path.join(folder, '..', 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return createHash('sha256')
    .update(readFileSync(path.join(folder, 'schema.prisma')))
    .update(readFileSync(import.meta.filename))
    .update(`${pins.dependencies.prisma} ${pins.dependencies['@pothos/plugin-prisma']}`)
    .digest('hex')
}

function madeFrom(directory: string): string | undefined {
  const stamp = path.join(directory, '.made-from')
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
}

/**
 * Generates in a folder beside and renames: a process killed on the way leaves the old files, and of two at once
 * each works in its own folder.
 */
function generate(): void {
  const workshop = path.join(folder, `.generating-${process.pid}`)
  mkdirSync(workshop)
  try {
    for (const name of ['schema.prisma', 'prisma.config.ts']) cpSync(path.join(folder, name), path.join(workshop, name))
    runPrisma(workshop)
    const made = path.join(workshop, 'generated')
    writeFileSync(path.join(made, '.made-from'), wanted)
    if (existsSync(generated)) renameSync(generated, path.join(workshop, 'replaced'))
    renameSync(made, generated)
  } catch (error) {
    // Another process was faster, between our two renames or before the first.
    if (madeFrom(generated) !== wanted) throw error
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

function runPrisma(workshop: string): void {
  const prisma = createRequire(import.meta.url).resolve('prisma/package.json')
  const command = path.join(path.dirname(prisma), 'build', 'index.js')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [command, 'generate', '--config', path.join(workshop, 'prisma.config.ts'), '--no-hints'],
    {
      cwd: workshop,
      encoding: 'utf8',
      env: {
        ...process.env,
        // Generating needs no schema engine, but Prisma downloads one unless it is told where one is. Never run.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        // No update check, no telemetry: a start must work, and not wait, without a network.
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    },
  )
  if (status !== 0) throw new Error(`prisma generate failed:\n${stdout}${stderr}`)
}
