import { refuseExposedDevelopment, refuseUnencryptedProduction } from '../config/development.ts'
import { exit, ignoreOutputErrors } from '../processes/process-output.ts'
import { readConfig } from '../config/settings.ts'
import type { Config } from '../config/settings.ts'
import { processCount } from '../processes/process-count.ts'
import { failureText } from './failure-text.ts'

/** Runs the service with the settings of the environment. Prints the reason if it cannot start or ends unexpectedly. Then ends the process. */
export async function main(): Promise<never> {
  ignoreOutputErrors()
  try {
    const settings = readConfig()
    refuseExposedDevelopment(settings)
    refuseUnencryptedProduction(settings)
    await run(settings)
  } catch (error) {
    console.error(failureText(error))
    process.exitCode = 1
  }
  return exit()
}

/** Runs this process until it is stopped: alone, or as the primary process or a worker of several. Each loads only its own code. */
async function run(settings: Config): Promise<void> {
  const workers = processCount(settings)
  if (workers === 1) return (await import('./serve.ts')).serve(settings)
  const { default: cluster } = await import('node:cluster')
  if (cluster.isPrimary) return (await import('./primary.ts')).runPrimary(settings, workers)
  return (await import('./worker.ts')).runWorker(settings)
}
