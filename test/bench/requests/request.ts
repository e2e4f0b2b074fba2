import { titles } from '../contestants/titles.ts'
import type { HandWritten } from '../contestants/titles.ts'
import type { Caller } from '../data/sizes.ts'
import type { WorkloadData } from '../data/issuer.ts'
import type { OAuthData } from '../data/seed-oauth.ts'
import type { Tokens } from '../data/seed.ts'
import type { Script } from '../measure/connection.ts'

/** The number of connections that send requests at the same time. */
export const connections = 16

/** Rows that a request refers to. */
export interface SeededData extends Tokens {
  oauth: OAuthData
  workload: WorkloadData
  /** The AUTH_URL of the service. */
  origin: string
}

/** A request that is measured. Load, comparison of bodies, table and chart derive from its declaration. */
export interface BenchRequest {
  /** For `--only`, and in the recorded results. */
  name: string
  title: string
  /** The hand-written contestants, each with the goal for the requests per second of the service divided by its own, or null. */
  goals: Partial<Record<HandWritten, number | null>>
  /** Whether all contestants send the same body, or bodies with the same members. */
  bodies: 'equal' | 'same members'
  /** What each connection sends. */
  scripts(data: SeededData, contestant: string): Script[]
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** The same on all connections. */
export const onEachConnection = (script: Script): Script[] => Array.from({ length: connections }, () => script)

/** GET with the token of a caller. */
export const get =
  (path: string, caller: Caller = 'oneTeam') =>
  ({ callers }: SeededData) =>
    onEachConnection({ method: 'GET', path, headers: bearer(callers[caller]) })

/** The hand-written contestants of a request. */
export const contestantsOf = ({ goals }: BenchRequest): HandWritten[] => Object.keys(goals).filter(isHandWritten)

const isHandWritten = (name: string): name is HandWritten => name in titles

/** The contestant to which all others are compared in the chart, and the service in the quick form. */
export function referenceOf(request: BenchRequest): HandWritten {
  const [reference] = contestantsOf(request)
  if (!reference) throw new Error(`${request.name} has no hand-written contestant`)
  return reference
}
