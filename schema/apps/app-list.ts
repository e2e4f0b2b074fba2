import type { ConnectedApp } from '../../prisma/generated/client/client.ts'
import type { ConnectedAppStatus } from '../../prisma/generated/client/enums.ts'
import { withDates } from '../builder/with-dates.ts'
import { defineList } from '../lists/list.ts'

export type AppOrder = 'app' | 'name' | 'connected'

interface AppFilters {
  status?: ConnectedAppStatus | null | undefined
}

type StoredApp = Omit<ConnectedApp, 'connectedAt'> & { id: string; connectedAt: string }

/** The applications connected to a team, at most one row for each. */
export const appList = defineList<StoredApp, ConnectedApp, AppOrder, AppFilters>({
  name: 'connected_apps',
  rows: (team) => `FROM connected_apps r WHERE r.team_id = ${team}`,
  id: 'r.application',
  idType: '"Application"',
  columns: `r.application AS id, r.application, r.team_id AS "teamId", r.name, r.description, r.url, r.status, r.connected_at AS "connectedAt"`,
  orders: {
    app: { keys: [['r.application', '"Application"']] },
    name: { keys: [['lower(r.name)', 'text']] },
    connected: { keys: [['r.connected_at', 'timestamptz']] },
  },
  filters: { status: ({ value }) => `r.status = ${value}::"ConnectedAppStatus"` },
  toNode: (row) => withDates(row, ['connectedAt']),
})
