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
  /** True if the member is part of the natural key. */
  isKey?: boolean
  /** SQL expression of the value in a new row. An absent member does not change the columns of an existing row. */
  keep?: string
  /** Value of an absent member. Export omits a member with this value. */
  default?: unknown
  /** Name of the column, if it differs from the member's. */
  column?: string
  /** True if a missing target in a list of references is an error. By default it is omitted. */
  isRequired?: boolean
}

/** Storage of one member of a record: the columns that the importer writes and the exporter reads. */
export interface Storage extends Options {
  /** SQL types by column of the record's table. */
  columns: Readonly<Record<string, string>>
  /** Returns the columns for a value of the member. Called for an absent member only if `convertsAbsent`. */
  toColumns(value: unknown, identifiers: Identifiers): Row
  convertsAbsent?: boolean
  /** Returns the SQL expression of the exported value, where `alias` is the record's table; undefined if it is not exported. */
  select?(alias: string): string
  /** Type of the record to which the member refers by its natural key. */
  reference?: Target
  /** Type of the records to which a list refers by their natural keys. */
  referenceList?: Target
}

const storages = new WeakMap<z.core.$ZodType, (member: string) => Storage>()

function register<Schema extends z.ZodType>(schema: Schema, getStorage: (member: string) => Storage): Schema {
  // The schema is copied, because schemas are shared between members and each has its own storage.
  const own = schema.clone()
  storages.set(own, getStorage)
  return own
}

/** Returns the storage of each member of an object schema. Members without one are not stored. */
export const listStorages = ({ shape }: z.ZodObject): ReadonlyMap<string, Storage> =>
  new Map(
    Object.entries(shape).flatMap(([member, schema]) => {
      const storage = storages.get(schema)?.(member)
      return storage ? [[member, storage] as const] : []
    }),
  )

/** An optional member. Absent and null are equivalent. */
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

/** A member in several columns, which are also written for an absent member. */
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

/** A member with the natural key of a team or user, stored as its identifier. */
export const reference = <Schema extends z.ZodType>(target: Target, schema: Schema, options: Options = {}): Schema =>
  register(schema, () => ({
    ...options,
    columns: { [options.column ?? `${target}_id`]: 'uuid' },
    toColumns: (key, identifiers) => ({ [options.column ?? `${target}_id`]: identifiers[target].get(String(key)) }),
    select: () => targets[target],
    reference: target,
  }))

const slugList = z.array(z.string())

/** A member with the slugs of several teams, stored as an array of their identifiers. */
export const teamSlugs = <Schema extends z.ZodType<string[] | undefined>>(column: string, schema: Schema, options: Options = {}): Schema =>
  register(schema, () => ({
    ...options,
    columns: { [column]: 'uuid[]' },
    // The identifiers are in the order of the export, so that importing an export changes nothing.
    toColumns: (slugs, { team }) => ({
      [column]: slugList
        .parse(slugs)
        .toSorted()
        .flatMap((slug) => team.get(slug) ?? []),
    }),
    select: (alias) => `(SELECT array_agg(l.slug ORDER BY l.slug COLLATE "C") FROM teams l WHERE l.id = ANY (${alias}.${column}))`,
    referenceList: 'team',
  }))

/** Returns SQL for an instant as RFC 3339 in UTC with milliseconds. */
const instantText = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Returns SQL for a column as a value that JSON can represent. */
function readColumn(column: string, type: string): string {
  if (type === 'timestamptz') return instantText(column)
  if (type === 'date') return `to_char(${column}, 'YYYY-MM-DD')`
  if (type === 'bigint') return `${column}::float8`
  if (type === 'bytea') return `encode(${column}, 'hex')`
  return type.endsWith('[]') ? `to_json(${column})` : column
}

/** Returns SQL for a row of another table as a JSON object with the exported members of `schema`. */
export function selectObject(schema: z.ZodObject, alias: string): string {
  const members = [...listStorages(schema)].flatMap(([member, { select }]) => (select ? [`'${member}', ${select(alias)}`] : []))
  return `json_strip_nulls(json_build_object(${members.join(', ')}))`
}
