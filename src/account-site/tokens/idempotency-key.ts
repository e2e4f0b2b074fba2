import { randomUUID } from 'node:crypto'
import type { PageContext } from '../framework/page-context.ts'

/**
 * Returns a hidden field with an idempotency key. Reloading the page with the token's value submits the form again, and the
 * key prevents a second token. A form that is shown again after an error keeps its key, unless the key was used.
 */
export function idempotencyKeyField({ refused }: PageContext): { idempotencyKey: string } {
  const submitted = refused?.values['idempotencyKey']
  const isUsed = refused?.error?.details.errors?.['idempotencyKey'] !== undefined
  return { idempotencyKey: typeof submitted === 'string' && !isUsed ? submitted : randomUUID() }
}
