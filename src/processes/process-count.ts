import { availableParallelism } from 'node:os'
import type { Config } from '../config/settings.ts'

/** Returns the number of processes that serve requests. */
export const processCount = ({ webConcurrency, databaseUrl }: Pick<Config, 'webConcurrency' | 'databaseUrl'>): number =>
  webConcurrency ?? (databaseUrl ? availableParallelism() : 1)
