import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { isDiskFull } from '../../prisma/connection/availability.ts'
import { withSession } from '../../src/database/connection.ts'
import { createTeams, renameTeam, storedValues } from '../support/faults/changes.ts'
import { embeddedDatabase } from '../support/faults/embedded-database.ts'
import { measureWrites, waitForRefused } from '../support/faults/fault.ts'
import type { Fault } from '../support/faults/fault.ts'
import { startRestartable } from '../support/faults/restartable-service.ts'
import { createDataFolder } from '../support/processes/data-folder.ts'
import { isFull } from '../support/service/full.ts'

/** Writes a file until its file system is full. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const size of [1_048_576, 4096]) writeUntilFull(descriptor, Buffer.alloc(size))
  } finally {
    closeSync(descriptor)
  }
}

function writeUntilFull(descriptor: number, bytes: Buffer): void {
  try {
    while (writeSync(descriptor, bytes) === bytes.length);
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

const mountTmpfs = (folder: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=755', 'tmpfs', folder], { stdio: 'ignore' })
const unmount = (folder: string) => void execFileSync('umount', [folder])

function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-mount-'))
  const isMounted = mountTmpfs(folder).status === 0
  if (isMounted) unmount(folder)
  rmdirSync(folder)
  return isMounted
}

/** At first, tables cannot grow. Then PostgreSQL cannot extend its write-ahead log: it ends and cannot start again. */
export const diskFull: Fault = {
  name: 'The disk of the embedded PostgreSQL is full',
  control: 'the clients count every request as acknowledged',
  impossible: isFull && !canMount() ? 'this user may not mount a file system' : undefined,
  async measure(isControl) {
    const data = createDataFolder()
    onTestFinished(data.remove)
    const { folder } = data
    mkdirSync(folder)
    mountTmpfs(folder)
    onTestFinished(() => unmount(folder))
    const service = await startRestartable({ DATA_DIR: folder })
    onTestFinished(() => service.stop('SIGTERM'))
    return measureWrites({
      change: renameTeam(service.origin, await createTeams(embeddedDatabase(folder))),
      countsEveryRequest: isControl,
      async causeFault(load) {
        const filler = path.join(folder, 'filler')
        fill(filler)
        await waitForRefused(load, 50)
        await withSession(embeddedDatabase(folder), async (session) => {
          for (;;) await session.query('SELECT pg_switch_wal(), pg_logical_emit_message(true, $1, $2)', ['fault', 'x'.repeat(1_000_000)])
        }).catch(() => {})
        await waitForRefused(load, 50)
        expect(readFileSync(path.join(folder, 'database', 'server.log'), 'utf8')).toMatch(/PANIC: .*No space left on device/)
        rmSync(filler)
      },
      stored: async () => storedValues(embeddedDatabase(folder)),
    })
  },
}
