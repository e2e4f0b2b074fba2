import type { Adapter } from 'oidc-provider'
import { requestInProgress, queryUnlessUnavailable } from '../request-context.ts'
import { createClientAdapter } from './client-adapter.ts'
import { createGrantAdapter } from './grant-adapter.ts'
import { createModelAdapter } from './model-adapter.ts'
import type { AdapterPorts } from './model-adapter.ts'

/** Creates oidc-provider's storage for models of one kind. */
export function createAdapter(kind: string, ports: AdapterPorts): Adapter {
  if (kind === 'Client') return failFast(createClientAdapter(ports))
  return failFast(kind === 'Grant' ? createGrantAdapter(ports) : createModelAdapter(kind, ports))
}

/** Makes an adapter fail at once after the database was unavailable to an earlier call in the same request. */
const failFast = (adapter: Adapter): Adapter => ({
  upsert: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.upsert(...args)),
  find: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.find(...args)),
  findByUserCode: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.findByUserCode(...args)),
  findByUid: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.findByUid(...args)),
  consume: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.consume(...args)),
  destroy: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.destroy(...args)),
  revokeByGrantId: (...args) => queryUnlessUnavailable(requestInProgress(), () => adapter.revokeByGrantId(...args)),
})
