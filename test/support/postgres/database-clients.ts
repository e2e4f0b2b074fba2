import { afterEach } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import { useDatabase } from '../service/database.ts'

/** Returns functions that open the database of a test file with at most so many connections, and close it. Each test closes it at its end. */
export function useDatabaseClients() {
  const { poolConfig } = useDatabase()
  const opened: OpenDatabase[] = []
  const closeAll = async () => {
    for (const database of opened.splice(0)) await database.close()
  }
  afterEach(closeAll)
  return {
    closeAll,
    open(max: number, options: { query_timeout?: number } = {}): OpenDatabase {
      const database = openClient({ ...poolConfig, max, ...options })
      opened.push(database)
      return database
    },
  }
}
