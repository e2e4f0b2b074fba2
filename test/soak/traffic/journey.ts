import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { SeededData } from '../../bench/requests/request.ts'

/** The service under test, its database and the data in it. */
export interface SoakTarget {
  url: string
  database: OpenDatabase
  /** The DATABASE_URL of commands. */
  databaseUrl: string
  data: SeededData
}

/** A sequence of requests through one interface, which one client repeats. */
export interface Journey {
  name: string
  pauseMilliseconds: number
  /** Creates the data of all rounds, and returns the function of one round, which throws if a response is not the expected one. */
  prepare(target: SoakTarget): Promise<() => Promise<unknown>>
}

/** The service responded with 503, as it does while the machine is too busy. */
export class Unavailable extends Error {}

/** Throws unless the status is the expected one. */
export function expectStatus<Response extends { status: number }>(response: Response, name: string, status = 200): Response {
  if (response.status === 503) throw new Unavailable(name)
  if (response.status !== status) throw new Error(`${name}: status ${response.status} instead of ${status}`)
  return response
}
