import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { prismaFolder } from '../../../src/database/migrations.ts'

/** Returns a copy of prisma/ with the migrations before the one that is tested. */
export function copyEarlierMigrations(migration: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-prisma-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(prismaFolder, folder, { recursive: true, filter: (source) => !source.includes('generated') })
  for (const name of readdirSync(path.join(folder, 'migrations')))
    if (/^\d/.test(name) && name >= migration) rmSync(path.join(folder, 'migrations', name), { recursive: true })
  return folder
}
