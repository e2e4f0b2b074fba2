import { findSubAttribute, toComparableText } from './attribute.ts'
import type { Attribute, JsonObject } from './attribute.ts'
import { invalidFilter } from './filter.ts'
import type { ComparisonOperator, Filter } from './filter.ts'

/** The filter in the brackets of a path (RFC 7644 §3.5.2), compiled for the values of an attribute. */
export interface ValueFilter {
  matches(value: JsonObject): boolean
  /** Steps that the filter takes for each value. A step takes about as long as comparing two identifiers. */
  steps: number
  /** The parts that a value must have to match a filter of equalities joined by `and`; null for any other filter. */
  demanded: JsonObject | null
}

/** Compiles a filter once, because a group has thousands of values. Throws `invalidFilter`. */
export function compileFilter(attribute: Attribute, filter: Filter): ValueFilter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const filters = filter.filters.map((each) => compileFilter(attribute, each))
      const steps = filters.reduce((sum, each) => sum + each.steps, 0)
      if (filter.kind === 'or') return { matches: (value) => filters.some((each) => each.matches(value)), steps, demanded: null }
      const parts = filters.map(({ demanded }) => demanded)
      const demanded: JsonObject | null = parts.includes(null) ? null : Object.assign({}, ...parts)
      return { matches: (value) => filters.every((each) => each.matches(value)), steps, demanded }
    }
    case 'not': {
      const { matches, steps } = compileFilter(attribute, filter.filter)
      return { matches: (value) => !matches(value), steps, demanded: null }
    }
    case 'valuePath':
      throw invalidFilter('Brackets within brackets are not possible.')
    case 'present': {
      const { name } = getPart(attribute, filter)
      return { matches: (value) => (value[name] ?? '') !== '', steps: 1, demanded: null }
    }
    case 'compare':
      return compileComparison(getPart(attribute, filter), filter.operator, filter.value)
  }
}

function getPart(attribute: Attribute, { path, brackets }: Extract<Filter, { kind: 'present' | 'compare' }>): Attribute {
  const part = brackets ? undefined : findSubAttribute(attribute, path)
  if (!part) throw invalidFilter(`${path} is no part of ${attribute.name}.`)
  return part
}

function compileComparison({ name, caseExact = false }: Attribute, operator: ComparisonOperator, value: unknown): ValueFilter {
  const expected = foldText(value, caseExact)
  const test = tests[operator]
  const matches = (each: JsonObject) => test(foldText(each[name], caseExact), expected)
  // Converting letters to lower case takes longer, and a search compares the text at each position of the value.
  const steps = (caseExact ? 1 : 4) + (operator === 'co' ? Math.ceil((expected ?? '').length / 4) : 0)
  return { matches, steps, demanded: operator === 'eq' ? { [name]: value } : null }
}

function foldText(value: unknown, caseExact: boolean): string | null {
  const text = toComparableText(value)
  return caseExact ? text : (text?.toLowerCase() ?? null)
}

type TextTest = (one: string | null, other: string | null) => boolean
const ofTexts =
  (test: (one: string, other: string) => boolean): TextTest =>
  (one, other) =>
    one !== null && other !== null && test(one, other)

const tests: Readonly<Record<ComparisonOperator, TextTest>> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  co: ofTexts((one, other) => one.includes(other)),
  sw: ofTexts((one, other) => one.startsWith(other)),
  ew: ofTexts((one, other) => one.endsWith(other)),
  gt: ofTexts((one, other) => one > other),
  ge: ofTexts((one, other) => one >= other),
  lt: ofTexts((one, other) => one < other),
  le: ofTexts((one, other) => one <= other),
}
