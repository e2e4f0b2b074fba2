import { signingAlgorithms } from '../../schema/signing-algorithm.ts'
import { usualPublishSeconds } from '../../schema/signing-key-rotation.ts'
import { command, UsageError } from './command.ts'
import { asOperator } from './context.ts'
import { spanSeconds } from './duration.ts'
import { table } from './output.ts'

interface Key {
  kid: string
  algorithm: string
  state: string
  created_at: Date
  signs_from: Date
  retired_at: Date | null
}
const members = 'kid algorithm state created_at: createdAt signs_from: signsFrom retired_at: retiredAt'

/** Keys as they are told: their states in the contract's words, which a mutation gives in capitals. */
const answerOf = (keys: readonly Key[]) => {
  const data = keys.map((key) => ({ ...key, state: key.state.toLowerCase() }))
  const rows = data.map(({ kid, algorithm, state, signs_from, retired_at }) => [kid, algorithm, state, signs_from, retired_at])
  return { value: { data }, text: table(['kid', 'algorithm', 'state', 'signs from', 'published until'], rows) }
}

export const keysList = command({
  name: 'keys list',
  about: 'Lists the keys that ID tokens are, were and will be signed with, of each algorithm the newest first.',
  run: () => asOperator(async (ask) => answerOf((await ask<{ signingKeys: Key[] }>(`{ signingKeys { ${members} } }`)).signingKeys)),
})

export const keysRotate = command({
  name: 'keys rotate',
  about: 'Makes the next key of each algorithm, publishes it, and has it sign later.',
  notes: `The key before it stays published until the last token it signed has expired. A key that leaked is replaced with
--publish-first 0: the next one signs at once, and clients that keep the published keys may refuse its tokens for a while.
SECRET_KEY has to be that of the service.`,
  options: {
    algorithm: { value: 'ALG', about: `the algorithm whose key is rotated: ${signingAlgorithms.join(', ')}; all unless told` },
    'publish-first': {
      value: 'TIME',
      about: `how long it is published before it signs: ${usualPublishSeconds / 3600}h unless told, 0 for not at all, at most 30d`,
    },
  },
  run: async ({ options: { algorithm, 'publish-first': publishFirst } }) => {
    if (algorithm !== undefined && !signingAlgorithms.some((each) => each === algorithm))
      throw new UsageError(`--algorithm must be one of ${signingAlgorithms.join(', ')}; it is ${algorithm}`)
    const publishSeconds = publishFirst === undefined ? undefined : spanSeconds(publishFirst, '--publish-first')
    const { rotateSigningKeys } = await asOperator((ask) =>
      ask<{ rotateSigningKeys: { signingKeys: Key[] } }>(
        `mutation ($input: RotateSigningKeysInput!) { rotateSigningKeys(input: $input) { signingKeys { ${members} } } }`,
        { input: { algorithm, publishSeconds } },
      ),
    )
    return answerOf(rotateSigningKeys.signingKeys)
  },
})
