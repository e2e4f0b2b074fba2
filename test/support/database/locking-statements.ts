// Which statements of a migration read or rewrite all rows of a table while others cannot change it.

/** A rule: what must not be done to a table that existed before, and what to do instead. */
interface Rule {
  pattern: RegExp
  /** Whether the rest of the statement allows it. */
  isAllowed?: (statement: string) => boolean
  advice: string
}

const volatile = /gen_random_uuid|clock_timestamp|random\(|nextval/i

const rules: readonly Rule[] = [
  { pattern: /^ALTER TABLE "(\w+)"[^;]*\bALTER COLUMN "\w+"[^;]*\bTYPE\b/i, advice: 'add a column and fill it in turns' },
  {
    pattern: /^ALTER TABLE "(\w+)"[^;]*\bSET NOT NULL/i,
    advice: 'add a CHECK constraint with NOT VALID, and validate it in a migration of its own',
  },
  {
    pattern: /^ALTER TABLE "(\w+)"[^;]*\bADD CONSTRAINT[^;]*\b(?:FOREIGN KEY|CHECK)/i,
    isAllowed: (statement) => /\bNOT VALID\b/i.test(statement),
    advice: 'add NOT VALID, and validate it in a migration of its own',
  },
  { pattern: /^ALTER TABLE "(\w+)"[^;]*\b(?:UNIQUE|PRIMARY KEY)/i, advice: 'create a unique index in a migration of its own' },
  {
    pattern: /^ALTER TABLE "(\w+)"[^;]*\bADD COLUMN[^;]*\b(?:DEFAULT|GENERATED)/i,
    isAllowed: (statement) => !volatile.test(statement) && !/GENERATED[^;]*STORED/i.test(statement),
    advice: 'add the column without this default',
  },
  { pattern: /^UPDATE "(\w+)"/i, advice: 'change the rows in turns, by periodic work' },
  { pattern: /^DELETE FROM "(\w+)"/i, advice: 'delete the rows in turns, by periodic work' },
  { pattern: /^(?:LOCK TABLE|VACUUM FULL|CLUSTER|REINDEX TABLE) "(\w+)"/i, advice: 'leave it out' },
]

/** The statements of a script, without comments. The bodies of functions, whose statements are between two `$$`, stay whole. */
const splitStatements = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split('$$')
    .map((part, index) => (index % 2 === 1 ? part.replaceAll(';', '\0') : part))
    .join('$$')
    .split(/;\s*$/m)
    .map((statement) => statement.replaceAll('\0', ';').trim())

/** Returns what a migration must not do to tables that existed before, as sentences. `sql` is its script. */
export function findLockingStatements(sql: string): string[] {
  const statements = splitStatements(sql)
  const created = new Set(statements.flatMap((statement) => /^CREATE TABLE "(\w+)"/i.exec(statement)?.[1] ?? []))
  const isNew = (table: string | undefined) => table === undefined || created.has(table)
  const broken = statements.flatMap((statement) =>
    rules.flatMap(({ pattern, isAllowed, advice }) => {
      const found = pattern.exec(statement)
      return !found || isNew(found[1]) || isAllowed?.(statement) ? [] : [`${found[0].replaceAll(/\s+/g, ' ')}: ${advice}`]
    }),
  )
  return [...broken, ...indexesOfNewColumns(statements).map((index) => `${index}: create it in a later migration than its columns`)]
}

/** Indexes of existing tables with a column that the same migration adds: they cannot be built before it. */
function indexesOfNewColumns(statements: readonly string[]): string[] {
  const added = statements.flatMap((statement) => {
    const table = /^ALTER TABLE "(\w+)"/i.exec(statement)?.[1]
    return table === undefined ? [] : [...statement.matchAll(/ADD COLUMN\s+"(\w+)"/gi)].map(([, column = '']) => ({ table, column }))
  })
  return statements.flatMap((statement) => {
    const [start, table] = /^CREATE (?:UNIQUE )?INDEX "\w+"\s+ON "(\w+)"/i.exec(statement) ?? []
    return start !== undefined && added.some((each) => each.table === table && statement.includes(`"${each.column}"`)) ? [start] : []
  })
}
