import { randomUUID } from 'node:crypto'
import type { Visit } from '../visit.ts'

/**
 * The hidden field that makes a form work once: reloading the page that shows a value sends the form again. The form
 * that is shown after a mistake is the same one; after it was used, another.
 */
export function singleUse({ refused }: Visit): { idempotencyKey: string } {
  const sent = refused?.values['idempotencyKey']
  const isUsed = refused?.error.details.errors?.['idempotencyKey'] !== undefined
  return { idempotencyKey: typeof sent === 'string' && !isUsed ? sent : randomUUID() }
}
