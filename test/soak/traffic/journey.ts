import type { OpenDatabase } from '../../../prisma/client.ts'
import type { SeededData } from '../../bench/requests/request.ts'

/** The service under test, its database and the rows in it. */
export interface Soaked {
  url: string
  database: OpenDatabase
  /** The DATABASE_URL of commands. */
  databaseUrl: string
  data: SeededData
}

/** A sequence of requests of one client through one interface, which is repeated. */
export interface Journey {
  name: string
  pauseMilliseconds: number
  /** Prepares what the rounds share, and returns the function of a round. It throws if a response is not as expected. */
  prepare(soaked: Soaked): Promise<() => Promise<unknown>>
}

/** The service answered 503, as it does while the machine is too busy. */
export class Unavailable extends Error {}

/** Throws unless the status is the expected one. */
export function expectStatus<Response extends { status: number }>(response: Response, name: string, status = 200): Response {
  if (response.status === 503) throw new Unavailable(name)
  if (response.status !== status) throw new Error(`${name}: status ${response.status} instead of ${status}`)
  return response
}
