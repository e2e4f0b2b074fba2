import { afterAll, afterEach } from 'vitest'
import type { AppSettings } from '../../../src/app.ts'
import { useService } from '../service/service.ts'
import { waitFor } from '../service/wait.ts'
import { startTcpProxy } from '../processes/tcp-proxy.ts'
import type { TcpProxy } from '../processes/tcp-proxy.ts'

/**
 * A service for the tests of this file, whose database connections go through a proxy that a test can interrupt. After each
 * test, also one that failed, the database can be reached again.
 */
export function useDisconnectableService(settings: Partial<AppSettings> = {}) {
  const proxies: TcpProxy[] = []
  const service = useService({
    ...settings,
    connectThrough(poolConfig) {
      const started = startTcpProxy(poolConfig)
      proxies.push(started)
      return started.poolConfig
    },
  })
  const [proxy] = proxies
  if (!proxy) throw new Error('the service did not open a connection pool')
  afterEach(async () => {
    await proxy.restore()
    await waitFor(() => service.database.pool.query('SELECT 1').catch(() => null))
  })
  afterAll(() => proxy.close())
  return { service, proxy }
}
