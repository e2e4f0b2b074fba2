import { outgoingHostsOf } from '../config/development.ts'
import type { Config } from '../config/settings.ts'
import { createOutgoingRequests } from './outgoing-requests.ts'
import type { OutgoingRequests } from './outgoing-requests.ts'

/** Outgoing requests as the settings allow them, for the service and for commands. */
export const createConfiguredRequests = (config: Config): OutgoingRequests =>
  createOutgoingRequests({ ...config, outgoingAllowedHosts: outgoingHostsOf(config) })
