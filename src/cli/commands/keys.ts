import { signingAlgorithms } from '../../../schema/oauth/signing-keys/signing-algorithm.ts'
import { defaultPublishSeconds } from '../../../schema/oauth/signing-keys/signing-key-rotation.ts'
import { loadSecretKey, secretDeriver } from '../../config/secret-key.ts'
import { readConfig } from '../../config/settings.ts'
import { withSession } from '../../database/connection.ts'
import { openDatabase } from '../../database/open.ts'
import { writeOperatorEntry } from '../../database/operator-entry.ts'
import { durationSecondsOrZero } from '../argument-values.ts'
import { command } from '../command.ts'
import { asOperator, commandLog, operatorName } from '../context.ts'
import { KeysDocument, RotateSigningKeysDocument } from '../generated/operations.ts'
import type { KeyOutputFragment } from '../generated/operations.ts'
import { table } from '../terminal/table.ts'
import { currentTerminal } from '../terminal/terminal.ts'

/** Formats the keys for output. GraphQL has their states in capitals. */
const toResult = (keys: readonly KeyOutputFragment[]) => {
  const data = keys.map((key) => ({ ...key, state: key.state.toLowerCase() }))
  const rows = data.map(({ kid, algorithm, state, signs_from, retired_at }) => [kid, algorithm, state, signs_from, retired_at])
  return { value: { data }, text: table(['kid', 'algorithm', 'state', 'signs from', 'published until'], rows) }
}

export const keysList = command({
  name: 'keys list',
  summary: 'List the signing keys of ID tokens',
  description: 'Lists previous, current and next keys by algorithm, newest first.',
  run: () => asOperator(async (execute) => toResult((await execute(KeysDocument, {})).signingKeys)),
})

export const keysRotate = command({
  name: 'keys rotate',
  summary: 'Create and publish the next signing key of each algorithm',
  description: `The next key is published before it signs, and the current key stays published until the last token that it signed has
expired. To replace a key that leaked, use --publish-first 0: the next key signs immediately, and clients that cache the
published keys may reject its tokens for a while. SECRET_KEY must be the one of the service.`,
  options: {
    algorithm: { value: 'ALG', values: signingAlgorithms, description: 'rotate only the key of this algorithm' },
    'publish-first': {
      value: 'TIME',
      description: `how long the key is published before it signs, up to 30d (default: ${defaultPublishSeconds / 3600}h)`,
    },
  },
  run: async ({ options: { algorithm, 'publish-first': publishFirst } }) => {
    const publishSeconds = publishFirst === undefined ? undefined : durationSecondsOrZero(publishFirst, '--publish-first')
    const input = { algorithm, publishSeconds }
    const { payload } = await asOperator((execute) => execute(RotateSigningKeysDocument, { input }))
    return toResult(payload.signingKeys)
  },
})

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
