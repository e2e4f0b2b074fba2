import { apiReference } from './api-reference.ts'
import { bundle } from './bundle/bundle.ts'
import { dashboards } from './dashboards.ts'
import { graphiql } from './graphiql.ts'
import { operations } from './operations.ts'
import { prismaClient } from './prisma-client.ts'
import { BuildError, isStale } from './step.ts'
import type { Step } from './step.ts'

/**
 * `npm run build`: generates the outputs that are missing or older than their sources, or those that the arguments name. It also runs
 * before every start: if everything is current, it must take less than 0.1 s and write nothing. It reports to stderr, because stdout is the
 * output of the program that runs next.
 */
const outputs = process.argv.slice(2)
const steps = [prismaClient, ...operations, dashboards, apiReference, graphiql, bundle]
const stale = steps.filter((step) => (outputs.length === 0 || outputs.includes(step.output)) && isStale(step))
if (stale.length > 0) {
  console.error(`Building ${stale.map(({ output }) => output).join(', ')}: missing or older than the sources.`)
  try {
    // Alone: `npm run schema` needs the client of a new column before the operations that use its field can be generated.
    if (stale.includes(prismaClient)) await prismaClient.run()
    await Promise.all(stale.filter((step) => step !== prismaClient && step !== bundle).map(runIfStale))
    if (stale.includes(bundle)) await bundle.run()
  } catch (error) {
    if (isMissingPackage(error)) console.error(`The build tools are not installed: run npm ci. (${error.message.split('\n')[0]})`)
    else if (error instanceof BuildError) console.error(error.message)
    else throw error
    process.exitCode = 1
  }
}

/** Runs a step, unless another process has generated its output meanwhile: a service may be sending these files. */
async function runIfStale(step: Step): Promise<void> {
  if (isStale(step)) await step.run()
}

/** Returns true if a package cannot be found, for example after `npm prune --omit=dev`. */
function isMissingPackage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code))
}
