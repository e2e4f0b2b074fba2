import { afterEach, beforeEach } from 'vitest'
import type { DataFolder } from '../data-folder.ts'
import { startDatabaseProcess } from './start-database-process.ts'
import type { DatabaseProcess } from './start-database-process.ts'

/** Gives each test of a file or `describe` a data folder. Kills the processes on it, and removes it, after the test. */
export function useDatabaseProcesses(create: () => DataFolder | Promise<DataFolder>) {
  let data: DataFolder
  let running: DatabaseProcess[] = []
  beforeEach(async () => {
    data = await create()
  })
  afterEach(async () => {
    await Promise.all(running.map((each) => each.kill()))
    running = []
    await data.remove()
  })
  return {
    /** The path of the data folder. */
    get folder() {
      return data.folder
    },
    start(role: 'service' | 'command' = 'service'): DatabaseProcess {
      const started = startDatabaseProcess(role, data.folder)
      running.push(started)
      return started
    },
  }
}
