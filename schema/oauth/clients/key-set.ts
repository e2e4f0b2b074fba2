import { z } from 'zod'
import { hasPrivateMember, publicKey } from '../public-keys.ts'
import type { PublicKey } from '../public-keys.ts'

/** Maximum number of keys of a client: two during a rotation, and two in reserve. */
const maxKeys = 4
const maxText = 20_000

/** The public keys with which a client authenticates. */
export type RegisteredKeySet = { keys: PublicKey[] }

const documentMembers = z.object({ keys: z.array(z.looseObject({})) })

/** Rule of the public keys of a client, as a JSON Web Key Set or its text. The result has only the members that verify signatures. */
export const registeredKeySet = z.union([z.string(), documentMembers]).transform((input, { addIssue }): RegisteredKeySet => {
  const refuse = (rule: string) => {
    addIssue({ code: 'custom', message: `The :attribute field must ${rule}.` })
    return z.NEVER
  }
  const { data } = documentMembers.safeParse(typeof input === 'string' ? parseJson(input) : input)
  if (!data) return refuse('be a JSON Web Key Set: {"keys": [...]}')
  if (data.keys.some(hasPrivateMember)) return refuse('not have private or symmetric keys. Replace them, and enter the public keys')
  if (data.keys.length === 0 || data.keys.length > maxKeys) return refuse(`have 1 to ${maxKeys} keys`)
  const keys = data.keys.flatMap((key) => publicKey.safeParse(key).data ?? [])
  if (keys.length < data.keys.length)
    return refuse('have only keys for signatures: RSA of 2048 to 4096 bits (RS256, PS256), P-256 (ES256) or Ed25519 (EdDSA)')
  const names = keys.map(({ kid }) => kid)
  if (new Set(names).size < names.length) return refuse('have a different kid for each key')
  return { keys }
})

function parseJson(text: string): unknown {
  try {
    return text.length > maxText ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads the column, which contains what `registeredKeySet` returned. */
export const parseStoredKeySet = (stored: unknown): RegisteredKeySet | null =>
  z
    .object({ keys: z.array(publicKey) })
    .nullable()
    .parse(stored)
