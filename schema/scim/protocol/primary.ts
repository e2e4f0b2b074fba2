import { subAttributeOf } from './attribute.ts'
import type { Attribute, JsonObject } from './attribute.ts'

// Entra ID sends booleans as texts.
const isPrimary = ({ primary }: JsonObject) => primary === true || (typeof primary === 'string' && /^true$/i.test(primary))

/**
 * Leaves at most one value of an attribute primary: the last of those that a request wrote, else the last one (RFC 7643 §2.4, RFC 7644
 * §3.5.2). Values that are in `unchanged` were not written.
 */
export function keepOnePrimary(attribute: Attribute, values: JsonObject[], unchanged: readonly JsonObject[] = []): JsonObject[] {
  if (!subAttributeOf(attribute, 'primary')) return values
  const primaries = values.filter(isPrimary)
  if (primaries.length < 2) return values
  const old = new Set(unchanged)
  const last = primaries.findLast((each) => !old.has(each)) ?? primaries.at(-1)
  return values.map((each) => (isPrimary(each) && each !== last ? { ...each, primary: false } : each))
}
