import { onTestFinished } from 'vitest'
import { reservePort } from '../processes/port.ts'
import { startMain } from '../processes/service-process.ts'
import type { ServiceProcess, Settings } from '../processes/service-process.ts'

/** The service in a process that a test stops and starts again at the same address. */
export interface RestartableService {
  origin: string
  pid(): number
  output(): string
  start(): Promise<void>
  /** Sends a signal and waits until the process has ended. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Starts a service without request limits, which the end of the test kills. */
export async function startRestartable(settings: Settings): Promise<RestartableService> {
  const { port, release } = reservePort()
  release()
  let service: ServiceProcess | undefined
  const stop = async (signal: NodeJS.Signals) => {
    service?.signal(signal)
    await service?.ended
  }
  const start = async () => {
    service = startMain({ LOG_LEVEL: 'fatal', RATE_LIMIT_API: '0', ...settings, PORT: String(port) })
    await service.origin
  }
  onTestFinished(() => stop('SIGKILL'))
  await start()
  return { origin: `http://localhost:${port}`, pid: () => service?.pid ?? 0, output: () => service?.output().stderr ?? '', start, stop }
}
