import { loadSecretKey, secretDeriver } from '../../config/secret-key.ts'
import { readConfig } from '../../config/settings.ts'
import { withSession } from '../../database/connection.ts'
import { openDatabase } from '../../database/open.ts'
import { writeOperatorEntry } from '../../database/operator-entry.ts'
import { command } from '../command.ts'
import { commandLog, operatorName } from '../context.ts'
import { table } from '../terminal/table.ts'
import { currentTerminal } from '../terminal/terminal.ts'

export const keysReencrypt = command({
  name: 'keys reencrypt',
  summary: 'Encrypt stored secrets under the current SECRET_KEY',
  description: `Decrypts the signing keys and the secrets of authenticator apps with SECRET_KEY or SECRET_KEY_PREVIOUS, and encrypts those of the previous
key again. Can run while the service runs. After an interruption, run it again. The exit status is 1 if a secret cannot be decrypted.`,
  options: {
    'delete-unreadable': {
      description: 'if SECRET_KEY is lost: delete the signing keys that cannot be decrypted; the service creates new ones',
    },
  },
  run: async ({ options: { 'delete-unreadable': deletesUnreadable } }) => {
    const config = readConfig(currentTerminal().settings)
    // This module is imported on demand, because other commands do not need the rules of secrets.
    const { reencryptSecrets } = await import('../stored-secrets.ts')
    const deriveSecret = secretDeriver(config.secretKey ?? loadSecretKey(config.dataDir), config.secretKeyPrevious)
    const opened = await openDatabase(config, 'command', commandLog)
    try {
      const results = await withSession(opened.poolConfig, async (session) => {
        const done = await reencryptSecrets(session, { deriveSecret }, deletesUnreadable)
        const after = Object.fromEntries(done.map(({ kind, ...counts }) => [kind, counts]))
        await writeOperatorEntry(session, { action: 'reencryptSecrets', operator: operatorName(), subject: 'SECRET_KEY', after })
        return done
      })
      const rows = results.map(({ kind, ...counts }) => [
        kind,
        ...[counts.reencrypted, counts.current, counts.unreadable, counts.deleted].map(String),
      ])
      return {
        value: { data: results },
        text: table(['kind', 'reencrypted', 'current', 'unreadable', 'deleted'], rows),
        status: results.some(({ unreadable }) => unreadable > 0) ? 1 : 0,
      }
    } finally {
      await opened.close()
    }
  },
})
