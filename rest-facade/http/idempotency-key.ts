import type { Request } from 'express'
import type { Context } from '../../schema/core/context.ts'
import { invalid } from '../../schema/core/errors.ts'

export const idempotencyKeyHeader = 'Idempotency-Key'

// A string of structured fields (draft-ietf-httpapi-idempotency-key-header) or, as most clients send it, the bare key. A field that was
// sent twice contains a blank.
const keyPattern = /^(?:"([!#-[\]-~]{1,255})"|([!#-[\]-~]{1,255}))$/

/**
 * Returns the key under which the client may repeat a request, or undefined. It belongs to the credential and the route with its path
 * parameters. Only digests under SECRET_KEY are stored, because a key can be guessable, and the request contains an address.
 */
export function readIdempotencyKey(
  { headers }: Request,
  { deriveSecret, principal }: Context,
  operation: { operationId: string; parameters: object; variables: object },
): Context['idempotency'] {
  const field = headers['idempotency-key']
  if (field === undefined || !principal || !('credentialId' in principal)) return undefined
  const [, quoted, bare] = keyPattern.exec(String(field)) ?? []
  const key = quoted ?? bare
  if (key === undefined) throw invalid({ [idempotencyKeyHeader]: ['The Idempotency-Key field must be 1 to 255 visible ASCII characters.'] })
  const digest = (value: unknown) => new Uint8Array(deriveSecret('idempotency', Buffer.from(JSON.stringify(value))))
  const { operationId, parameters, variables } = operation
  return {
    keyHash: digest([principal.credentialId, operationId, parameters, key]),
    requestHash: digest(variables),
    usedBefore: () => invalid({ [idempotencyKeyHeader]: ['The Idempotency-Key field was used before, for another request.'] }),
  }
}
