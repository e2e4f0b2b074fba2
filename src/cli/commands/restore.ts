import { BackupError } from '../../backup/backup-error.ts'
import type { KeyState } from '../../backup/restore-backup.ts'
import { readConfig } from '../../config/settings.ts'
import { command } from '../command.ts'
import { commandLog, operatorName } from '../context.ts'
import { CommandFailure } from '../terminal/output.ts'
import { readPassphrase } from '../terminal/passphrase.ts'
import { callerPath, currentTerminal } from '../terminal/terminal.ts'

const keyWarnings: Partial<Record<KeyState, string>> = {
  different: 'warning: SECRET_KEY is not the key of the backup: set that key before the service starts',
  missing: 'warning: there is no SECRET_KEY: set the key of the backup, or restore the file secret-key, before the service starts',
}

export const restore = command({
  name: 'restore',
  summary: 'Load a backup into an empty database',
  description: `Checks the whole file first and then loads it in one transaction: if anything is wrong, nothing is changed. The database must
have no tables: use a new DATA_DIR, or a new database for DATABASE_URL. A backup of an older version is migrated. A SECRET_KEY
that the backup includes is written to the data folder, unless SECRET_KEY is set to the same value.`,
  positionals: { file: { description: 'a file that backup wrote' } },
  options: { 'passphrase-file': { value: 'FILE', description: 'read the passphrase from the first line of a file' } },
  run: async ({ positionals: { file }, options: { 'passphrase-file': passphraseFile } }) => {
    const config = readConfig(currentTerminal().settings)
    // This module is imported on demand, because it needs the job queue and the schema engine.
    const { restoreBackup } = await import('../../backup/restore-backup.ts')
    const askPassphrase = () => readPassphrase(passphraseFile, false)
    const { manifest, rows, migrated, keyState } = await restoreBackup({
      config,
      file: callerPath(file),
      askPassphrase,
      operator: operatorName(),
      log: commandLog,
    }).catch((error: unknown) => {
      if (!(error instanceof BackupError)) throw error
      throw new CommandFailure(error.code, `${error.message}; nothing was changed`, [], {})
    })
    const warning = keyWarnings[keyState]
    if (warning !== undefined) currentTerminal().stderr.write(`${warning}\n`)
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    return {
      value: { rows: total, created_at: manifest.created_at, migrated, secret_key: keyState },
      text: `Restored ${total} rows of ${manifest.created_at}.${migrated.length > 0 ? ` Applied ${migrated.length} migrations.` : ''}`,
    }
  },
})
