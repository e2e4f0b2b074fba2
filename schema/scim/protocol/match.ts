import { subAttributeOf, textOf } from './attribute.ts'
import type { Attribute, JsonObject } from './attribute.ts'
import { invalidFilter } from './filter.ts'
import type { ComparisonOperator, Filter } from './filter.ts'

/** Whether a value of a multi-valued attribute matches the filter in the brackets of a path (RFC 7644 §3.5.2). */
export function matches(attribute: Attribute, value: JsonObject, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((each) => matches(attribute, value, each))
    case 'or':
      return filter.filters.some((each) => matches(attribute, value, each))
    case 'not':
      return !matches(attribute, value, filter.filter)
    case 'valuePath':
      throw invalidFilter('Brackets within brackets are not possible.')
    case 'present':
      return (value[partOf(attribute, filter).name] ?? '') !== ''
    case 'compare': {
      const part = partOf(attribute, filter)
      return isTrue(part, value[part.name] ?? null, filter.operator, filter.value)
    }
  }
}

/** How many comparisons a filter can cost for each value. */
export function comparisonsOf(filter: Filter): number {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.reduce((sum, each) => sum + comparisonsOf(each), 0)
  return filter.kind === 'not' ? comparisonsOf(filter.filter) : 1
}

function partOf(attribute: Attribute, { path, brackets }: Extract<Filter, { kind: 'present' | 'compare' }>): Attribute {
  const part = brackets ? undefined : subAttributeOf(attribute, path)
  if (!part) throw invalidFilter(`${path} is no part of ${attribute.name}.`)
  return part
}

function isTrue({ caseExact }: Attribute, present: unknown, operator: ComparisonOperator, wanted: unknown): boolean {
  const [one, other] = [present, wanted].map((value) => {
    const text = textOf(value)
    return caseExact ? text : (text?.toLowerCase() ?? null)
  })
  if (operator === 'eq') return one === other
  if (operator === 'ne') return one !== other
  if (one == null || other == null) return false
  const tests: Record<Exclude<ComparisonOperator, 'eq' | 'ne'>, boolean> = {
    co: one.includes(other),
    sw: one.startsWith(other),
    ew: one.endsWith(other),
    gt: one > other,
    ge: one >= other,
    lt: one < other,
    le: one <= other,
  }
  return tests[operator]
}

/** The parts that a value must have to match a filter of equalities joined by `and`; null for any other filter. */
export function partsDemandedBy(attribute: Attribute, filter: Filter): JsonObject | null {
  if (filter.kind === 'compare' && filter.operator === 'eq') return { [partOf(attribute, filter).name]: filter.value }
  if (filter.kind !== 'and') return null
  const parts = filter.filters.map((each) => partsDemandedBy(attribute, each))
  return parts.includes(null) ? null : Object.assign({}, ...parts)
}
