import { expect, onTestFinished } from 'vitest'
import { waitFor } from '../service/wait.ts'
import { compareWrites, startWrites } from './write-load.ts'
import type { Change, WriteLoad } from './write-load.ts'

/** Something that fails while clients change data. */
export interface Fault {
  /** What happens; docs/operations/faults.md lists it. */
  name: string
  /** The difference in the control, in which the test must find lost or repeated changes. */
  control: string
  /** Whether the client of every change that was made must receive the response. */
  answersAll?: boolean
  /** Measured in `npm test`, too. */
  isShort?: boolean
  /** Why the fault cannot be caused on this machine. */
  impossible?: string | undefined
  measure(isControl: boolean): Promise<Measurement>
}

export interface Measurement {
  acknowledged: number
  /** Acknowledged changes that are not stored. */
  lost: number
  /** Changes that are stored more than once. */
  repeated: number
  /** Changes that are stored although their client received no response. */
  unanswered: number
}

interface WriteFault {
  change: Change
  /** How many clients change data at the same time. */
  clients?: number
  /** Whether the clients count every request as acknowledged, for a control. */
  countsEveryRequest?: boolean
  /** Causes the fault, and ends it. */
  causeFault(load: WriteLoad): Promise<void>
  /** The values that are stored at the end. */
  stored(): Promise<string[]>
}

/** Changes data before, during and after a fault, and compares the acknowledged values with the stored ones. */
export async function measureWrites({ change, causeFault, stored, ...options }: WriteFault): Promise<Measurement> {
  const load = startWrites(change, options)
  onTestFinished(load.stop)
  await waitForAcknowledged(load)
  await causeFault(load)
  await waitForAcknowledged(load)
  await load.stop()
  expect(load.unexpected).toEqual([])
  // A database that was killed may still be starting.
  const values = await waitFor(async () => stored().catch(() => null))
  return { acknowledged: load.acknowledged.size, ...compareWrites(load, values) }
}

/** Waits until further changes were acknowledged, or one had an unexpected response. */
export async function waitForAcknowledged({ acknowledged, unexpected }: WriteLoad, count = 30): Promise<void> {
  const goal = acknowledged.size + count
  await waitFor(() => acknowledged.size >= goal || unexpected.length > 0)
}

/** Waits until further requests were refused or got no response. */
export async function waitForRefused({ refused }: WriteLoad, count = 6): Promise<void> {
  const goal = refused() + count
  await waitFor(() => refused() >= goal)
}
