import type { Attribute, ResourceType } from './attribute.ts'
import { findSubAttribute } from './attribute.ts'
import { invalidFilter } from './filter.ts'
import type { ComparisonOperator, Filter, FilterValue } from './filter.ts'
import { findPath } from './path.ts'

/** The storage of values: a column, by the path of the attribute in lower case, or rows with a column for each part. */
export interface StoredAttributes {
  columns: Readonly<Record<string, string>>
  /** Multi-valued attributes by name: FROM and WHERE of their values, and the columns of their parts. */
  lists: Readonly<Record<string, { rows: string; parts: Readonly<Record<string, string>> }>>
}

/**
 * Maximum number of tests of multi-valued attributes in a filter: each test reads the values for each resource. In a team with 3,000
 * members, 260 tests took 16 seconds.
 */
const maxListTests = 10

type Scope = 'resource' | { attribute: Attribute; parts: Readonly<Record<string, string>> }

/**
 * Builds SQL that is true or false for a row of resources. Values become parameters, which are added to `values`. An attribute that the
 * service does not store has no value. Throws `invalidFilter`.
 */
export function filterSql(type: ResourceType, stored: StoredAttributes, filter: Filter, values: unknown[]): string {
  const bind = (value: unknown) => `$${values.push(value)}`
  let listTests = 0

  /** Builds the condition that one of the values of a list meets all conditions. */
  function anyRow({ rows }: { rows: string }, ...conditions: string[]): string {
    listTests += 1
    if (listTests > maxListTests) throw invalidFilter(`A filter compares attributes with several values at most ${maxListTests} times.`)
    return `EXISTS (SELECT ${[rows, ...conditions].join(' AND ')})`
  }

  function condition(each: Filter, scope: Scope): string {
    switch (each.kind) {
      case 'and':
      case 'or':
        return `(${each.filters.map((one) => condition(one, scope)).join(each.kind === 'and' ? ' AND ' : ' OR ')})`
      case 'not':
        return `NOT ${condition(each.filter, scope)}`
      case 'valuePath': {
        if (scope !== 'resource') throw invalidFilter('Brackets within brackets are not possible.')
        const resolved = findPath(type, each.path)
        if (resolved === 'ignored') return 'false'
        if (resolved === 'unknown' || resolved.subAttribute) throw invalidFilter(`${each.path} is no attribute with several values.`)
        const list = stored.lists[resolved.attribute.name]
        if (!list) throw invalidFilter(`${each.path} is no attribute with several values.`)
        return anyRow(list, condition(each.filter, { attribute: resolved.attribute, parts: list.parts }))
      }
      case 'present':
      case 'compare':
        return scope === 'resource' ? ofResource(each) : ofPart(each, scope)
    }
  }

  function ofResource(each: Test): string {
    const resolved = findPath(type, each.path)
    if (resolved === 'ignored') return isNotEqual(each) ? 'true' : 'false'
    if (resolved === 'unknown') throw invalidFilter(`${each.path} is no attribute of a ${type.name}.`)
    const { attribute, subAttribute } = resolved
    const list = stored.lists[attribute.name]
    if (!list && each.brackets) throw invalidFilter(`${attribute.name} has a single value.`)
    if (!list) {
      const column = stored.columns[subAttribute ? `${attribute.name}.${subAttribute.name}` : attribute.name]
      if (column === undefined) throw invalidFilter(`${each.path} cannot be part of a filter.`)
      return test(each, subAttribute ?? attribute, column, bind)
    }
    if (each.kind === 'present' && !subAttribute) return anyRow(list)
    // A value without the name of its part is compared with the part "value" (RFC 7644 §3.4.2.2).
    const part = subAttribute ?? findSubAttribute(attribute, 'value')
    const column = part && list.parts[part.name]
    if (!part || column === undefined) throw invalidFilter(`${each.path} cannot be part of a filter.`)
    const selected = each.brackets ? [condition(each.brackets, { attribute, parts: list.parts })] : []
    // "Not equal" means that none of the values is equal.
    if (isNotEqual(each)) return `NOT ${anyRow(list, ...selected, test({ ...each, operator: 'eq' }, part, column, bind))}`
    return anyRow(list, ...selected, test(each, part, column, bind))
  }

  function ofPart(each: Test, { attribute, parts }: Exclude<Scope, 'resource'>): string {
    const part = each.brackets ? undefined : findSubAttribute(attribute, each.path)
    const column = part && parts[part.name]
    if (!part || column === undefined) throw invalidFilter(`${each.path} is no part of ${attribute.name}.`)
    return test(each, part, column, bind)
  }

  return condition(filter, 'resource')
}

type Test = Extract<Filter, { kind: 'present' | 'compare' }>
const isNotEqual = (each: Test): each is Extract<Filter, { kind: 'compare' }> => each.kind === 'compare' && each.operator === 'ne'

const symbols = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const
const isOrdering = (operator: ComparisonOperator): operator is keyof typeof symbols => Object.hasOwn(symbols, operator)

/** Builds a test of one value. It is never NULL, so that it can be negated. */
function test(each: Test, attribute: Attribute, column: string, bind: (value: unknown) => string): string {
  if (each.kind === 'present') return `(${column} IS NOT NULL AND ${column}::text <> '')`
  const { operator, value, path } = each
  if (value === null) return operator === 'eq' ? `(${column} IS NULL)` : operator === 'ne' ? `(${column} IS NOT NULL)` : 'false'
  const missing = operator === 'ne' ? 'true' : 'false'
  return `coalesce(${comparison(attribute, column, operator, value, path, bind)}, ${missing})`
}

function comparison(
  { type, caseExact }: Attribute,
  column: string,
  operator: ComparisonOperator,
  value: Exclude<FilterValue, null>,
  path: string,
  bind: (value: unknown) => string,
): string {
  if (type === 'boolean') {
    const truth = typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value
    if (typeof truth !== 'boolean' || (operator !== 'eq' && operator !== 'ne'))
      throw invalidFilter(`${path} is true or false, which only eq and ne compare.`)
    return `${column} ${symbols[operator]} ${bind(truth)}::boolean`
  }
  if (type === 'dateTime') {
    const instant = typeof value === 'string' ? parseInstant(value) : null
    if (!instant || !isOrdering(operator)) throw invalidFilter(`${path} is compared with a time such as "2026-01-31T12:00:00Z".`)
    return `${column} ${symbols[operator]} ${bind(instant)}::timestamptz`
  }
  if (typeof value !== 'string') throw invalidFilter(`${path} is compared with a text in quotation marks.`)
  const [left, right] = caseExact
    ? [`(${column}::text COLLATE "C")`, `${bind(value)}::text`]
    : [`(lower(${column}::text) COLLATE "C")`, `lower(${bind(value)}::text)`]
  switch (operator) {
    case 'co':
      return `position(${right} IN ${left}) > 0`
    case 'sw':
      return `starts_with(${left}, ${right})`
    case 'ew':
      return `right(${left}, length(${right})) = ${right}`
    default:
      return `${left} ${symbols[operator]} ${right}`
  }
}

/** Parses an instant of xsd:dateTime, within the years that PostgreSQL and RFC 3339 support. */
function parseInstant(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.test(text)) return null
  const instant = new Date(text)
  const year = instant.getUTCFullYear()
  return Number.isNaN(instant.getTime()) || year < 1 || year > 9999 ? null : instant
}
