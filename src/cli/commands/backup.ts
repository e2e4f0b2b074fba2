import { stat } from 'node:fs/promises'
import { BackupError } from '../../backup/backup-error.ts'
import type { KeyState } from '../../backup/restore-backup.ts'
import { hasCode } from '../../config/error-message.ts'
import { readSecretKey } from '../../config/secret-key.ts'
import { readConfig } from '../../config/settings.ts'
import { readVersion } from '../../config/version.ts'
import { isExistingFile, writeToFile } from '../../data-transfer/export/destination.ts'
import { withSession } from '../../database/connection.ts'
import { command, UsageError } from '../command.ts'
import { commandLog, operatorName } from '../context.ts'
import { openForOutput, writeOutputEntry } from '../open-for-output.ts'
import { CommandFailure } from '../terminal/output.ts'
import { readPassphrase } from '../terminal/input.ts'
import { writeToStdout, callerPath, currentTerminal } from '../terminal/terminal.ts'

export const backup = command({
  name: 'backup',
  summary: 'Write a backup of the whole database',
  description: `Writes the state of one point in time, while the service may run, for the embedded database and for DATABASE_URL. The file has a checksum
and can be read only by its owner. It contains password hashes and encrypted secrets: encrypt it, or protect it like the
database. Without SECRET_KEY a restored service cannot start: keep that key apart, or include it with --include-keys.`,
  positionals: { file: { description: 'file to write, or - for standard output' } },
  options: {
    force: { description: 'overwrite a file that exists' },
    encrypt: { description: 'encrypt the file with a passphrase; asks for it unless --passphrase-file is given' },
    'passphrase-file': { value: 'FILE', description: 'read the passphrase from the first line of a file' },
    'include-keys': { description: 'include SECRET_KEY; only with --encrypt' },
  },
  run: async ({ positionals: { file }, options: { force, encrypt, 'passphrase-file': passphraseFile, 'include-keys': includeKeys } }) => {
    if (!encrypt && includeKeys) throw new UsageError('--include-keys requires --encrypt')
    if (!encrypt && passphraseFile !== undefined) throw new UsageError('--passphrase-file requires --encrypt')
    const fileExists = () => new CommandFailure('file_exists', `${file} exists: nothing was written; --force overwrites it`, [], {})
    if (!force && file !== '-' && (await isExistingFile(callerPath(file)))) throw fileExists()
    const config = readConfig(currentTerminal().settings)
    const passphrase = encrypt ? await readPassphrase(passphraseFile, true) : undefined
    const secretKey = config.secretKey ?? readSecretKey(config.dataDir)
    if (includeKeys && secretKey === undefined) throw new UsageError('--include-keys: there is no SECRET_KEY')
    // These modules are imported on demand, because other commands do not need them.
    const [{ databaseContent }, { sealContent }, { secretKeyCheck }] = await Promise.all([
      import('../../backup/write-content.ts'),
      import('../../backup/file-format.ts'),
      import('../../backup/secret-key-check.ts'),
    ])
    const about = {
      service_version: await readVersion(),
      secret_key_check: secretKey === undefined ? null : secretKeyCheck(secretKey),
      ...(includeKeys && { secret_key: secretKey }),
    }
    const opened = await openForOutput(config, { migrate: false })
    try {
      return await withSession(opened.poolConfig, async (session) => {
        // The backup contains the entry, too.
        await writeOutputEntry(session, { action: 'backup', file, after: { encrypted: encrypt, includes_keys: includeKeys } })
        const counts: Record<string, number> = {}
        const bytes = sealContent(databaseContent(session, about, counts), passphrase)
        if (file === '-') return (await writeToStdout(bytes)) ? undefined : { value: null, text: '', status: 1 }
        await writeToFile(callerPath(file), bytes, { isNew: !force }).catch((error: unknown) => {
          // Another backup to the same file was written meanwhile.
          throw hasCode(error, 'EEXIST') ? fileExists() : error
        })
        const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
        const { size } = await stat(callerPath(file))
        return {
          value: { file, bytes: size, rows, encrypted: encrypt, includes_keys: includeKeys },
          text: `Wrote ${rows} rows to ${file} (${size} bytes).`,
        }
      })
    } finally {
      await opened.close()
    }
  },
})

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
