import { loadSecretKey, secretDeriver } from '../../config/secret-key.ts'
import { readConfig } from '../../config/settings.ts'
import { withSession } from '../../database/connection.ts'
import { openDatabase } from '../../database/open.ts'
import { command } from '../command.ts'
import { commandLog } from '../context.ts'
import { table } from '../terminal/output.ts'
import { currentTerminal } from '../terminal/terminal.ts'

export const keysReencrypt = command({
  name: 'keys reencrypt',
  summary: 'Encrypt stored secrets under the present SECRET_KEY',
  description: `Decrypts the signing keys and the secrets of authenticator apps with SECRET_KEY or SECRET_KEY_PREVIOUS, and encrypts those of the previous
key again. Can be used while the service runs, and again after an interruption. The exit status is 1 if a secret cannot be decrypted.`,
  run: async () => {
    const config = readConfig(currentTerminal().settings)
    // Imported on demand: other commands do not need the rules of secrets.
    const { reencryptSecrets } = await import('../stored-secrets.ts')
    const deriveSecret = secretDeriver(config.secretKey ?? loadSecretKey(config.dataDir), config.secretKeyPrevious)
    const opened = await openDatabase(config, 'command', commandLog)
    try {
      const results = await withSession(opened.poolConfig, (session) => reencryptSecrets(session, { deriveSecret }))
      const rows = results.map(({ kind, reencrypted, present, unreadable }) => [kind, ...[reencrypted, present, unreadable].map(String)])
      return {
        value: { data: results },
        text: table(['kind', 'reencrypted', 'present', 'unreadable'], rows),
        status: results.some(({ unreadable }) => unreadable > 0) ? 1 : 0,
      }
    } finally {
      await opened.close()
    }
  },
})
