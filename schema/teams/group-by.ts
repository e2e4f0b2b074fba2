/** The columns and the clause by which a statement groups its rows. */
export interface Grouping {
  /** The grouped columns with a comma after each, for the start of a SELECT. */
  columns: string
  /** GROUP BY and ORDER BY; without a group, there is one row, or none if nothing is counted. */
  clause: string
}

/**
 * Builds the parts of a statement that group by some of its columns, which are SQL expressions. A column that does not group is absent from
 * the result. The clause has positions instead of names, because GROUP BY reads a name as that of a table's column.
 */
export function buildGrouping<Group extends string>(expressions: Readonly<Record<Group, string>>, groups: ReadonlySet<string>): Grouping {
  const grouped = Object.entries<string>(expressions).filter(([name]) => groups.has(name))
  const positions = grouped.map((_, index) => index + 1).join(', ')
  return {
    columns: grouped.map(([name, expression]) => `${expression} AS "${name}", `).join(''),
    clause: grouped.length > 0 ? `GROUP BY ${positions} ORDER BY ${positions}` : 'HAVING count(*) > 0',
  }
}
