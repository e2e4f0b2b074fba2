import type { LookupFunction } from 'node:net'
import { Agent, fetch, request } from 'undici'
import { readVersion } from '../config/version.ts'

/** The HTTP client of outgoing requests. */
export type HttpClient = Awaited<ReturnType<typeof createClient>>

// This is a separate module, because `undici` must be imported by a statement: a dynamic import of it has no named exports in the bundle.
export const createClient = async (lookup: LookupFunction) => ({
  fetch,
  request,
  userAgent: `team-account-service/${await readVersion()}`,
  agent: new Agent({ connect: { lookup, timeout: 5000 }, maxHeaderSize: 16_384 }),
})
