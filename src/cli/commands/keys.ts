import { signingAlgorithms } from '../../../schema/oauth/signing-keys/signing-algorithm.ts'
import { defaultPublishSeconds } from '../../../schema/oauth/signing-keys/signing-key-rotation.ts'
import { command } from '../command.ts'
import { asOperator } from '../context.ts'
import { KeysDocument, RotateSigningKeysDocument } from '../generated/operations.ts'
import type { KeyOutputFragment } from '../generated/operations.ts'
import { durationSecondsOrZero } from '../arguments/duration.ts'
import { table } from '../terminal/table.ts'

/** Formats the keys for output. GraphQL has their states in capitals. */
const resultOf = (keys: readonly KeyOutputFragment[]) => {
  const data = keys.map((key) => ({ ...key, state: key.state.toLowerCase() }))
  const rows = data.map(({ kid, algorithm, state, signs_from, retired_at }) => [kid, algorithm, state, signs_from, retired_at])
  return { value: { data }, text: table(['kid', 'algorithm', 'state', 'signs from', 'published until'], rows) }
}

export const keysList = command({
  name: 'keys list',
  summary: 'List the signing keys of ID tokens',
  description: 'Lists previous, current and next keys by algorithm, newest first.',
  run: () => asOperator(async (execute) => resultOf((await execute(KeysDocument, {})).signingKeys)),
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
    return resultOf(payload.signingKeys)
  },
})
