import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { createTokenValue } from '../../../../schema/tokens/token-value.ts'
import { reservePort } from '../../../support/processes/port.ts'
import { startMain } from '../../../support/processes/service-process.ts'
import { cpuSeconds } from '../cpu.ts'

const pollMilliseconds = 2

/** The time from the start of the process to the first response, and the CPU time of the process until then. */
interface FirstResponse {
  seconds: number
  cpuSeconds: number
}

/** Starts the service as `npm start` does, until it responds to a request that needs a statement, and stops it. */
export async function measureFirstResponse(settings: Record<string, string> & { DATA_DIR: string }): Promise<FirstResponse> {
  const { port, release } = reservePort()
  release()
  const startedAt = performance.now()
  // Without the cache of compiled code that processes of tests share.
  const main = startMain({ ...settings, PORT: String(port), NODE_COMPILE_CACHE: '' })
  try {
    while (!(await responds(port))) await delay(pollMilliseconds)
    return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: cpuSeconds(main.pid) }
  } finally {
    await main.origin
    main.signal('SIGTERM')
    await main.ended
  }
}

/** Sends a request with an unknown token. Resolves with false if nothing listens at the port, or the service is not ready (503). */
async function responds(port: number): Promise<boolean> {
  const headers = { Host: `localhost:${port}`, Authorization: `Bearer ${createTokenValue('personal')}` }
  const sent = request({ port, host: '127.0.0.1', path: '/api/v1/teams', headers, agent: false }).end()
  try {
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode === 401
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return false
    throw error
  }
}
