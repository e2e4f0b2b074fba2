import { z } from 'zod'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { change } from '../audit/audit.ts'
import type { Change } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { RepeatedRequest } from './idempotency.ts'
import { DomainError, invalid } from '../errors.ts'
import { isIdentifier, text } from '../validation.ts'

/** The idempotency key of a request, such as a form: if the request is sent twice, it changes something once. */
export const idempotencyRules = z.object({
  idempotencyKey: text
    .refine(isIdentifier, { message: 'The :attribute field must be a valid UUID.' })
    .nullish()
    .transform((key) => key ?? undefined),
})

/** Returns the description of the key of a mutation that creates an object. */
export const keyDescription = (what: string, repeated: string) =>
  `A new UUID. For 24 hours, a second request of the team with it creates no second ${what}: ${repeated}. Another request with it is refused.`

/** A request that creates one object, however often it is sent. */
interface Creation {
  /** The type of the object, for messages. */
  what: string
  /** The key that the caller chose, or undefined. It never becomes an identifier (docs/decisions/resources.md#idempotency-keys-in-graphql). */
  key: string | undefined
  /** Identifier of the team or user that the key belongs to. Others can use the same key. */
  owner: string
  /** The validated input. */
  input: object
  /** The identifier of the new object. */
  id: string
  /** Time when the key is deleted. Default: after 24 hours. */
  expiresAt?: Date | undefined
}

/**
 * Runs `work` as `change` does, but once for each key. A repeated request gets the result of `repeat`, which finds the object by its
 * identifier. If `repeat` is a text, it is refused with this text after “The token was already created,”.
 */
export async function changeOnce<Result>(
  context: Context,
  info: { fieldName: string },
  { what, key, owner, input, id, expiresAt }: Creation,
  work: (transaction: Transaction) => Promise<Change<Result>>,
  repeat: string | ((id: string) => Promise<Result>),
): Promise<Result> {
  if (key === undefined) return change(context, info, work)
  const digest = (value: unknown) => new Uint8Array(context.deriveSecret('idempotency', Buffer.from(JSON.stringify(value))))
  const hashes = { keyHash: digest([info.fieldName, owner, key]), requestHash: digest(input) }
  const refuse = (why: string) => invalid({ idempotencyKey: [`The ${what} was already created, ${why}.`] })
  const usedBefore = () => refuse('with other values')
  const idempotency = { ...hashes, resultId: id, usedBefore, ...(expiresAt && { expiresAt }) }
  try {
    return await change({ ...context, idempotency }, info, work)
  } catch (error) {
    if (!(error instanceof RepeatedRequest) || error.resultId === null) throw error
    if (typeof repeat === 'string') throw refuse(repeat)
    return repeat(error.resultId).catch((cause: unknown) => {
      throw cause instanceof DomainError && cause.code === 'not_found' ? refuse('and deleted since') : cause
    })
  }
}
