import { z } from 'zod'
import { enumType } from '../../builder/enum-type.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { operatorOnly } from '../../core/requires.ts'
import { SigningAlgorithm, signingAlgorithms } from './signing-algorithm.ts'
import { createKeyPair } from './signing-key-pair.ts'
import { readSigningKeys, rotateKeys, defaultPublishSeconds, withStates } from './signing-key-rotation.ts'
import type { KeyState, KeyTimes } from './signing-key-rotation.ts'
import { parse } from '../../core/validation.ts'

const SigningAlgorithmType = enumType('SigningAlgorithm', 'JWS algorithm of ID tokens.', {
  ES256: 'ECDSA with P-256 and SHA-256.',
  RS256: 'RSA with SHA-256.',
} satisfies Record<SigningAlgorithm, string>)

const StateType = enumType(
  'SigningKeyState',
  'State of a signing key. One key of each algorithm signs. All but retired keys are published.',
  {
    next: 'Published, and will sign after the next rotation.',
    signing: 'Signs new ID tokens.',
    old: 'No longer signs; published as long as its ID tokens are valid.',
    retired: 'No longer published.',
  } satisfies Record<KeyState, string>,
)

const storedAlgorithm = z.enum(SigningAlgorithm)

export const SigningKeyType = builder.objectRef<KeyTimes & { state: KeyState }>('SigningKey').implement({
  describedBy: 'SigningKey',
  fields: (t) => ({
    kid: t.exposeID('kid'),
    algorithm: t.field({ type: SigningAlgorithmType, resolve: ({ algorithm }) => storedAlgorithm.parse(algorithm) }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    signsFrom: t.expose('signsFrom', { type: 'DateTime' }),
    retiredAt: t.expose('retiredAt', { type: 'DateTime', nullable: true }),
    state: t.expose('state', { type: StateType, description: 'The current state.' }),
  }),
})

builder.queryField('signingKeys', (t) =>
  t.field({
    description: 'All signing keys of the authorization server, retired ones included. Ordered by algorithm, newest first. For operators.',
    type: [SigningKeyType],
    requires: operatorOnly,
    resolve: async (_, __, { database: { pool }, now }) => withStates(await readSigningKeys(pool), now()),
  }),
)

const RotateSigningKeysPayload = payloadType<{ signingKeys: (KeyTimes & { state: KeyState })[] }>('RotateSigningKeysPayload', {
  description: 'The result of a rotation.',
  fields: (t) => ({
    signingKeys: t.expose('signingKeys', { type: [SigningKeyType], description: 'The new keys, one for each algorithm.' }),
  }),
})

const RotateSigningKeysInput = builder.inputType('RotateSigningKeysInput', {
  fields: (t) => ({
    algorithm: t.field({ type: SigningAlgorithmType, description: 'The algorithm whose key is rotated. Default: all.' }),
    publishSeconds: t.int({
      description: `For how many seconds the new key is published before it signs, 0 to 2592000. Default: ${defaultPublishSeconds}. Use 0 after a key has leaked: the new key signs at once, and clients that cache the JWKS may refuse its tokens for a while.`,
    }),
  }),
})
const rotateRules = z.object({
  publishSeconds: z
    .int()
    .min(0)
    .max(30 * 86_400),
})

builder.mutationField('rotateSigningKeys', (t) =>
  t.field({
    description:
      'Creates new signing keys. A new key is published immediately and signs later. The previous key stays published until the last token that it signed has expired. For operators.',
    type: RotateSigningKeysPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: RotateSigningKeysInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { publishSeconds } = parse(rotateRules, { publishSeconds: input.publishSeconds ?? defaultPublishSeconds })
      const algorithms = input.algorithm ? [input.algorithm] : signingAlgorithms
      // The keys are generated before the transaction takes its lock, because generating an RSA key is slow.
      const pairs = await Promise.all(algorithms.map((algorithm) => createKeyPair(algorithm, context)))
      return change(context, info, async (transaction) => {
        const { added, replaced } = await rotateKeys(transaction, pairs, { ...context, publishSeconds })
        return {
          result: { signingKeys: withStates([...added, ...replaced], context.now()).slice(0, added.length) },
          subject: added.map(({ kid }) => kid).join(' '),
          before: Object.fromEntries(replaced.map(({ algorithm, kid }) => [algorithm, { kid }])),
          after: Object.fromEntries(added.map(({ algorithm, kid, signsFrom }) => [algorithm, { kid, signsFrom: signsFrom.toISOString() }])),
        }
      })
    },
  }),
)
