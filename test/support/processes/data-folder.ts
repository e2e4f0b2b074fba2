import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { isPostmaster, readPostmasterFile } from '../../../src/database/embedded/postmaster-file.ts'
import { waitFor } from '../service/wait.ts'
import { startDatabaseProcess } from './database/start-database-process.ts'

export interface DataFolder {
  folder: string
  /** Kills the PostgreSQL server of the folder and removes the folder. */
  remove(): Promise<void>
}

/** Creates a data folder for one test, which the user of PostgreSQL can enter. `remove` also kills its PostgreSQL server. */
export function createDataFolder(name = 'data'): DataFolder {
  const parent = mkdtempSync(path.join(tmpdir(), 'team-account-reliability-'))
  chmodSync(parent, 0o711)
  const folder = path.join(parent, name)
  return {
    folder,
    async remove() {
      await killPostgres(folder)
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

/**
 * Creates a data folder with a migrated, empty database, as an earlier start leaves it. It is a copy of one that the first
 * test of this worker creates: copying is faster than a first start.
 */
export async function createUsedDataFolder(): Promise<DataFolder> {
  const original = path.join(inject('runFolder'), `used-data-${process.pid}`)
  if (!existsSync(original)) {
    const service = startDatabaseProcess('service', original)
    await service.opened
    await service.stop()
  }
  const data = createDataFolder()
  // Keeps the owner, who is the user of PostgreSQL if root runs the tests.
  execFileSync('cp', ['-a', original, data.folder])
  return data
}

/** Returns the process ID of the PostgreSQL server on a data folder, or undefined if none runs. */
export function postgresPid(dataFolder: string): number | undefined {
  const data = path.join(dataFolder, 'database', 'cluster')
  const pid = existsSync(data) ? readPostmasterFile(data)?.pid : undefined
  return pid !== undefined && isPostmaster(pid, data) ? pid : undefined
}

/** Kills the PostgreSQL server on a data folder without a shutdown, like a power failure. */
export async function killPostgres(dataFolder: string): Promise<void> {
  const pid = postgresPid(dataFolder)
  if (pid === undefined) return
  process.kill(pid, 'SIGKILL')
  await waitFor(() => !isPostmaster(pid, path.join(dataFolder, 'database', 'cluster')))
}
