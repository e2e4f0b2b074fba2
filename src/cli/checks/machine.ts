import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from './check.ts'

const toleranceSeconds = 2

/** The service uses the database's clock for its own times, but oidc-provider and TLS use that of the process. */
export const clockCheck: Check = {
  name: 'clock',
  description: `the clocks of this machine and the database differ by at most ${toleranceSeconds} s`,
  async run({ session }) {
    const before = Date.now()
    const { rows } = await session.query<{ at: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at')
    const at = rows[0]?.at ?? Number.NaN
    const seconds = Math.max(before - at, at - Date.now()) / 1000
    if (seconds <= toleranceSeconds) return []
    return [
      {
        problem: `the clocks of this machine and the database differ by ${Math.round(seconds)} s`,
        action: 'synchronize both by NTP, for example with systemd-timesyncd or chrony',
      },
    ]
  },
}

const minBytes = 1e9

export const diskCheck: Check = {
  name: 'disk',
  description: 'the file system of DATA_DIR has at least 1 GB of free space',
  async run({ config: { dataDir } }) {
    let folder = dataDir
    while (!existsSync(folder)) folder = path.dirname(folder)
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free >= minBytes) return []
    return [{ problem: `${folder} has ${Math.floor(free / 1e6)} MB of free space`, action: 'delete files, or enlarge the file system' }]
  },
}
