import { cpus, totalmem } from 'node:os'

/** The machine of a measurement. */
export interface Machine {
  cpu: string
  cores: number
  memoryGigabytes: number
  node: string
  postgresql: string
}

export function describeMachine(postgresql: string): Machine {
  const [cpu] = cpus()
  return {
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    node: process.version,
    postgresql,
  }
}

export const machineText = ({ cpu, cores, memoryGigabytes, node, postgresql }: Machine) =>
  `${cores} cores (${cpu}), ${memoryGigabytes} GB of memory, Node ${node}, PostgreSQL ${postgresql}`
