import { z } from 'zod'

/** A row to write, by column. */
export type Row = Readonly<Record<string, unknown>>

/** Identifiers by natural key: of teams by slug, of users by email address. */
export interface Identifiers {
  team: ReadonlyMap<string, string>
  user: ReadonlyMap<string, string>
}
export type Target = keyof Identifiers

interface Options {
  /** Whether the member is part of the natural key. */
  isKey?: boolean
  /** An absent member leaves the columns unchanged. The SQL expression is their value in a new row. */
  keep?: string
  /** The value of an absent member. Export omits a member with this value. */
  default?: unknown
  /** The column, if its name differs from the member's. */
  column?: string
  /** For a list of references: a target that does not exist makes the record an error. By default it is left out. */
  isRequired?: boolean
}

/** How one member of a record is stored: what the importer writes and the exporter reads. */
export interface Storage extends Options {
  /** SQL types by column of the record's table. */
  columns: Readonly<Record<string, string>>
  /** The columns for a value of the member; called for an absent member only if `convertsAbsent`. */
  toColumns(value: unknown, identifiers: Identifiers): Row
  convertsAbsent?: boolean
  /** SQL expression of the exported value, where `alias` is the record's table; undefined: not exported. */
  select?(alias: string): string
  /** The type of record that the member refers to, by its natural key. */
  reference?: Target
  /** Like `reference`, for a list. */
  referenceList?: Target
}

const storages = new WeakMap<z.core.$ZodType, (member: string) => Storage>()

function register<Schema extends z.ZodType>(schema: Schema, storageOf: (member: string) => Storage): Schema {
  // A copy, because schemas are shared between members and each has its own storage.
  const own = schema.clone()
  storages.set(own, storageOf)
  return own
}

/** The storage of each member of an object schema; members without one are not stored. */
export const storagesOf = ({ shape }: z.ZodObject): ReadonlyMap<string, Storage> =>
  new Map(
    Object.entries(shape).flatMap(([member, schema]) => {
      const storage = storages.get(schema)?.(member)
      return storage ? [[member, storage] as const] : []
    }),
  )

/** An optional member: absent and null mean the same. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined)

/** A member in one column of SQL type `type`. */
export const stored = <Schema extends z.ZodType>(type: string, schema: Schema, options: Options = {}): Schema =>
  register(schema, (member) => {
    const name = options.column ?? member
    return {
      ...options,
      columns: { [name]: type },
      toColumns: (value) => ({ [name]: value }),
      select: (alias) => readColumn(`${alias}."${name}"`, type),
    }
  })

/** A member in several columns, which are written for an absent member too. */
export const storedIn = <Schema extends z.ZodType>(
  columns: Storage['columns'],
  schema: Schema,
  convert: { isKey?: boolean; toColumns(value: z.output<Schema>): Row; select(alias: string): string },
): Schema => register(schema, () => ({ columns, convertsAbsent: true, ...convert }))

/** A member outside the record's table; its writer is in `import/`. Without `select` it is not exported. */
export const storedElsewhere = <Schema extends z.ZodType>(schema: Schema, select?: (alias: string) => string): Schema =>
  register(schema, () => ({ columns: {}, toColumns: () => ({}), ...(select && { select }) }))

/** SQL aliases of the joined tables, and the columns of their natural keys. */
const targets = { team: 't.slug', user: 'u.email' }

/** A member that names a team or user, stored as its identifier. */
export const reference = <Schema extends z.ZodType>(target: Target, schema: Schema, options: Options = {}): Schema =>
  register(schema, () => ({
    ...options,
    columns: { [options.column ?? `${target}_id`]: 'uuid' },
    toColumns: (key, identifiers) => ({ [options.column ?? `${target}_id`]: identifiers[target].get(String(key)) }),
    select: () => targets[target],
    reference: target,
  }))

const slugList = z.array(z.string())

/** A member that names several teams, stored as an array of their identifiers. */
export const teamSlugs = <Schema extends z.ZodType<string[] | undefined>>(column: string, schema: Schema, options: Options = {}): Schema =>
  register(schema, () => ({
    ...options,
    columns: { [column]: 'uuid[]' },
    // In the order of the export, so that importing an export changes nothing.
    toColumns: (slugs, { team }) => ({
      [column]: slugList
        .parse(slugs)
        .toSorted()
        .flatMap((slug) => team.get(slug) ?? []),
    }),
    select: (alias) => `(SELECT array_agg(l.slug ORDER BY l.slug COLLATE "C") FROM teams l WHERE l.id = ANY (${alias}.${column}))`,
    referenceList: 'team',
  }))

/** SQL for an instant as RFC 3339 in UTC with milliseconds. */
const instantText = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL for a column as a value that JSON can carry. */
function readColumn(column: string, type: string): string {
  if (type === 'timestamptz') return instantText(column)
  if (type === 'date') return `to_char(${column}, 'YYYY-MM-DD')`
  if (type === 'bigint') return `${column}::float8`
  if (type === 'bytea') return `encode(${column}, 'hex')`
  return type.endsWith('[]') ? `to_json(${column})` : column
}

/** SQL for a row of another table as a JSON object with the exported members of `schema`. */
export function selectObject(schema: z.ZodObject, alias: string): string {
  const members = [...storagesOf(schema)].flatMap(([member, { select }]) => (select ? [`'${member}', ${select(alias)}`] : []))
  return `json_strip_nulls(json_build_object(${members.join(', ')}))`
}
