import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { spawnCli } from '../../support/service/cli.ts'
import { isFull } from '../../support/service/full.ts'
import { startMain } from '../../support/processes/service-process.ts'

// A small file system in memory takes the place of a full disk. Only root may mount one.
const canMount =
  process.getuid?.() === 0 && spawnSync('/usr/bin/unshare', ['--mount', '/bin/mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

let disk: string
beforeEach(() => void (disk = mkdtempSync(path.join(tmpdir(), 'team-account-disk-'))))
afterEach(() => {
  spawnSync('/bin/umount', ['--lazy', disk])
  rmSync(disk, { recursive: true, force: true })
})

function mount(megabytes: number): string {
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk])
  chmodSync(disk, 0o711)
  return path.join(disk, 'data')
}

const oneLine = expect.stringMatching(
  /^the disk is full, so that nothing can be written: free some space \([^\n]*No space left on device[^\n]*\)\n$/i,
)

describe.runIf(canMount && isFull)('on a full disk', () => {
  test('the first start, and a command, print one line that says so', async () => {
    const folder = mount(4)
    const service = startMain({ DATA_DIR: folder, LOG_LEVEL: 'error' })
    expect(await service.ended).toBe(1)
    expect(service.output()).toEqual({ stdout: '', stderr: oneLine })
    expect(await spawnCli({ DATA_DIR: folder }, ['team', 'list'])).toEqual({ status: 1, stdout: '', stderr: oneLine })
  })

  test('a later start prints one line that says so, and the next one after space was freed succeeds', async () => {
    const folder = mount(160)
    const first = startMain({ DATA_DIR: folder })
    await first.origin
    first.signal('SIGTERM')
    await first.ended
    const ballast = path.join(disk, 'ballast')
    const { bavail, bsize } = statfsSync(disk)
    mkdirSync(ballast)
    writeFileSync(path.join(ballast, 'file'), Buffer.alloc(bavail * bsize))
    const service = startMain({ DATA_DIR: folder, LOG_LEVEL: 'error' })
    expect(await service.ended).toBe(1)
    expect(service.output()).toEqual({ stdout: '', stderr: oneLine })
    rmSync(ballast, { recursive: true })
    const next = startMain({ DATA_DIR: folder })
    expect(await next.origin).toMatch(/^http/)
    next.signal('SIGTERM')
    await next.ended
  })
})
