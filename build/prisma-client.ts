import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type * as ClientGenerator from '@prisma/client-generator-ts'
import type * as Internals from '@prisma/internals'
import { projectFolder } from './files.ts'
import { fingerprintOf, isStale } from './step.ts'
import type { Step } from './step.ts'

const require = createRequire(import.meta.url)
const pothosGenerator = path.join(projectFolder, 'node_modules', '.bin', 'prisma-pothos-types')
const inputs = ['prisma/schema.prisma', 'build/prisma-client.ts']

/** Prisma's client and the types of Pothos, from schema.prisma. */
export const prismaClient: Step = {
  output: 'prisma/generated',
  fingerprint: fingerprintOf(inputs, ['@prisma/client-generator-ts', '@pothos/plugin-prisma']),
  run: generate,
}

/**
 * Generates in a temporary folder and renames the result. If the process is killed, the old files stay, and two processes never write to
 * the same folder.
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
    // Files that another process has generated meanwhile stay, because other processes may be reading them.
    if (existsSync(output) && isStale(prismaClient)) renameSync(output, path.join(temporary, 'replaced'))
    renameSync(path.join(temporary, 'generated'), output)
  } catch (error) {
    // The folder is not empty if another process renamed its own result first.
    if (isStale(prismaClient)) throw error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Runs the generators in schema.prisma without Prisma's command line, whose packages need 140 MB more. */
async function runGenerators(folder: string): Promise<void> {
  // The variable prevents Prisma from downloading a schema engine, which the generators do not run.
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] = process.execPath
  // The ES modules of these packages are incomplete.
  const { getGenerators, loadSchemaContext }: typeof Internals = require('@prisma/internals')
  const { PrismaClientTsGenerator }: typeof ClientGenerator = require('@prisma/client-generator-ts')
  const generators = await getGenerators({
    schemaContext: await loadSchemaContext({
      schemaPath: { cliProvidedPath: path.join(folder, 'schema.prisma') },
      printLoadMessage: false,
    }),
    cliCommand: 'generate',
    registry: {
      'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() },
      'prisma-pothos-types': { type: 'rpc', generatorPath: pothosGenerator, isNode: true },
    },
  })
  for (const generator of generators) {
    await generator.generate()
    generator.stop()
  }
}
