import { z } from 'zod'
import type { SigningKey } from '../prisma/generated/client/client.ts'
import { enumType } from './application.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import { about } from './description.ts'
import { operatorOnly } from './requires.ts'
import { SigningAlgorithm, signingAlgorithms } from './signing-algorithm.ts'
import { createKeyPair } from './signing-key-pair.ts'
import { rotateKeys, usualPublishSeconds, withStates } from './signing-key-rotation.ts'
import type { KeyState } from './signing-key-rotation.ts'
import { parse } from './validation.ts'

const SigningAlgorithmType = enumType('SigningAlgorithm', 'JWS algorithm of ID tokens.', SigningAlgorithm)

const StateType = enumType(
  'SigningKeyState',
  'What a key does at present: one of each algorithm signs, all but the retired are published.',
  {
    next: 'next',
    signing: 'signing',
    old: 'old',
    retired: 'retired',
  } satisfies Record<KeyState, KeyState>,
)

const SigningKeyType = builder.objectRef<SigningKey & { state: KeyState }>('SigningKey').implement({
  description: about('SigningKey'),
  fields: (t) => ({
    kid: t.exposeID('kid', { description: about('SigningKey.kid') }),
    algorithm: t.field({
      type: SigningAlgorithmType,
      description: about('SigningKey.algorithm'),
      // None but those below are ever stored.
      resolve: ({ algorithm }) => algorithm as SigningAlgorithm,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: about('SigningKey.createdAt') }),
    signsFrom: t.expose('signsFrom', { type: 'DateTime', description: about('SigningKey.signsFrom') }),
    retiredAt: t.expose('retiredAt', { type: 'DateTime', nullable: true, description: about('SigningKey.retiredAt') }),
    state: t.expose('state', { type: StateType, description: 'What it does at present.' }),
  }),
})

builder.queryField('signingKeys', (t) =>
  t.field({
    description: 'All keys the authorization server signs or signed with, of each algorithm the newest first. For operators.',
    type: [SigningKeyType],
    requires: operatorOnly,
    resolve: async (_, __, { database: { prisma }, now }) => {
      const keys = await prisma.signingKey.findMany({
        orderBy: [{ algorithm: 'asc' }, { createdAt: 'desc' }, { signsFrom: 'desc' }, { kid: 'asc' }],
      })
      return withStates(keys, now())
    },
  }),
)

const RotateSigningKeysPayload = builder
  .objectRef<{ signingKeys: (SigningKey & { state: KeyState })[] }>('RotateSigningKeysPayload')
  .implement({
    description: 'Keys that were rotated.',
    fields: (t) => ({
      signingKeys: t.expose('signingKeys', { type: [SigningKeyType], description: 'The new keys, one for each algorithm.' }),
    }),
  })

const RotateSigningKeysInput = builder.inputType('RotateSigningKeysInput', {
  fields: (t) => ({
    algorithm: t.field({ type: SigningAlgorithmType, description: 'The algorithm whose key is rotated; absent: all.' }),
    publishSeconds: t.int({
      description: `For how long the new key is published before it signs, 0 to 2592000; ${usualPublishSeconds} unless told. With 0, for a key that leaked, it signs at once, and clients that keep the JWKS may refuse what it signs for a while.`,
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
      'Makes new keys. Each is published, later signs, and the one before it is published until the last token it signed has expired. For operators.',
    type: RotateSigningKeysPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: RotateSigningKeysInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { publishSeconds } = parse(rotateRules, { publishSeconds: input.publishSeconds ?? usualPublishSeconds })
      const algorithms = input.algorithm ? [input.algorithm] : signingAlgorithms
      // Before the lock: an RSA key takes a while to find.
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
