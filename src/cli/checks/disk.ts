import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from './check.ts'

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
