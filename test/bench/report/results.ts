import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import type { GrowthResult } from '../measure/growth.ts'
import type { RequestResult } from '../measure/requests.ts'
import type { Machine } from './machine.ts'

/** What the full form measured, with the machine and how. */
export interface FullResults {
  machine: Machine
  rounds: number
  seconds: number
  connections: number
  requests: readonly RequestResult[]
  growth: readonly GrowthResult[]
}

/** Ratios by name of the request; see `RequestResult`. */
export type RecordedRatios = Record<string, number>

/** The content of docs/performance/results.json. */
export interface Results {
  full: FullResults | null
  /** The ratios of CPU time per request with which the quick form compares its own. They hold for its data only. */
  quick: RecordedRatios
}

export const resultsFolder = path.join(projectFolder, 'docs', 'performance')
const resultsFile = path.join(resultsFolder, 'results.json')

export const readResults = (): Results => JSON.parse(readFileSync(resultsFile, 'utf8'))

/** Replaces one part of the recorded results and keeps the other. Numbers have four significant digits. */
export function recordResults(part: Partial<Results>): void {
  const text = JSON.stringify({ ...readResults(), ...part }, (_, value: unknown) => (typeof value === 'number' ? rounded(value) : value), 2)
  writeFileSync(resultsFile, `${text}\n`)
}

const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(4)))
