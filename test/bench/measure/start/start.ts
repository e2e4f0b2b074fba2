import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { projectFolder } from '../../../../schema/core/project-folder.ts'
import { serviceSettings } from '../../contestants/start.ts'
import type { Bench } from '../bench.ts'
import { measureFirstResponse } from './first-response.ts'
import type { GrowthResult } from '../growth.ts'
import { median, spreadOf } from '../statistics.ts'

const starts = 5

type Kind = 'embedded' | 'postgresql'

/** Goals in seconds. The embedded PostgreSQL is started and stopped with the service. */
const goals: Record<Kind, number> = { embedded: 0.9, postgresql: 0.7 }

/** Measures the time from the start of the process to the first response, for starts after the first one. */
export async function measureStart(bench: Bench, kind: Kind): Promise<GrowthResult> {
  const environment = buildEnvironment(bench, kind)
  await measureFirstResponse(environment)
  const seconds: number[] = []
  for (let count = 0; count < starts; count++) seconds.push((await measureFirstResponse(environment)).seconds)
  return {
    name: `start-${kind}`,
    title: `start to first response, second start: ${kind === 'embedded' ? 'embedded PostgreSQL' : 'PostgreSQL at DATABASE_URL'}`,
    unit: 's',
    value: spreadOf(seconds),
    goal: { bound: '≤', value: goals[kind] },
  }
}

/** Measures the CPU time of a Node process that loads Express and pg, divided by that of the service until the first response. */
export async function measureStartRatio(bench: Bench, count: number): Promise<number> {
  const environment = buildEnvironment(bench, 'postgresql')
  await measureFirstResponse(environment)
  const ratios: number[] = []
  while (ratios.length < count) ratios.push(readReferenceSeconds() / (await measureFirstResponse(environment)).cpuSeconds)
  return median(ratios)
}

function buildEnvironment({ database }: Bench, kind: Kind) {
  const { DATABASE_URL, ...settings } = serviceSettings(database)
  return { ...settings, DATA_DIR: path.join(database.folder, `start-${kind}`), ...(kind === 'postgresql' && { DATABASE_URL }) }
}

const reference = `require('express'); require('pg'); const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)`

const readReferenceSeconds = () => Number(execFileSync(process.execPath, ['--eval', reference], { cwd: projectFolder, encoding: 'utf8' }))
