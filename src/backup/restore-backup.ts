import { readSecretKey, storeSecretKey } from '../config/secret-key.ts'
import { withSession } from '../database/connection.ts'
import type { DatabaseLog } from '../database/embedded/postgres-log.ts'
import { applyMigrations } from '../database/apply-migrations.ts'
import { openDatabase } from '../database/open.ts'
import { writeOperatorEntry } from '../database/operator-entry.ts'
import type { DatabaseSettings } from '../database/open.ts'
import { BackupError } from './backup-error.ts'
import { ContentReader, manifestType } from './backup-content.ts'
import type { Manifest } from './backup-content.ts'
import { openSealedFile } from './file-format.ts'
import { loadContent } from './load-content.ts'
import { isKeyOfCheck } from './secret-key-check.ts'

/** Relation of the current SECRET_KEY to the key of the backup. `restored`: it was in the backup and is now in the data folder. */
export type KeyState = 'same' | 'restored' | 'different' | 'missing' | 'unknown'

interface RestoreOptions {
  config: DatabaseSettings & { secretKey: string | undefined }
  file: string
  askPassphrase(): Promise<string>
  /** Name of the operator, for the audit log. */
  operator: string
  log: DatabaseLog
}

export interface Restored {
  manifest: Manifest
  /** Numbers of rows by table. */
  rows: Record<string, number>
  /** Names of the migrations that were applied afterwards. */
  migrated: string[]
  keyState: KeyState
}

/** Restores a file into an empty database. Throws `BackupError`, and then has changed nothing, if the file or the database is unsuitable. */
export async function restoreBackup({ config, file, askPassphrase, operator, log }: RestoreOptions): Promise<Restored> {
  const sealed = await openSealedFile(file, askPassphrase)
  await sealed.verify()
  const content = new ContentReader(sealed.content())
  const manifest = await content.json(manifestType)
  const keyState = compareKeys(config.secretKey ?? readSecretKey(config.dataDir), manifest)
  const opened = await openDatabase(config, 'command', log, { migrate: false })
  try {
    const storeKey = () => void (keyState === 'restored' && storeSecretKey(config.dataDir, manifest.secret_key ?? ''))
    const rows = await withSession(opened.poolConfig, (session) => loadContent(session, content, manifest, storeKey))
    const migrated = await applyMigrations(opened.poolConfig, log)
    await withSession(opened.poolConfig, async (session) => {
      // The entry is written after the migrations, because the backup may have an older table.
      await writeOperatorEntry(session, { action: 'restore', operator, subject: file, after: { created_at: manifest.created_at } })
      // Without statistics, PostgreSQL would choose slow plans for the first statements.
      await session.query('ANALYZE')
    })
    return { manifest, rows, migrated, keyState }
  } finally {
    await opened.close()
  }
}

function compareKeys(current: string | undefined, { secret_key: included, secret_key_check: check }: Manifest): KeyState {
  if (included !== undefined) {
    if (current === undefined) return 'restored'
    if (current === included) return 'same'
    throw new BackupError('secret_key_differs', 'the SECRET_KEY in the backup differs from the current one')
  }
  if (check === null) return 'unknown'
  if (current === undefined) return 'missing'
  return isKeyOfCheck(current, check) ? 'same' : 'different'
}
