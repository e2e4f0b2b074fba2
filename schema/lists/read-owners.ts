import { query } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'

/** The values of a statement that is being built. */
export class Parameters {
  readonly values: unknown[] = []
  readonly #now: Date
  #nowPlaceholder: string | undefined

  constructor(now: Date) {
    this.#now = now
  }

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  /** Returns the placeholder of the time of the request. */
  get now(): string {
    return (this.#nowPlaceholder ??= `${this.add(this.#now)}::timestamptz`)
  }
}

/** Builds a statement for an owner, which is an SQL expression of type uuid: a parameter, or the column of a set. */
type Compose = (owner: string, parameters: Parameters) => string

/** Builds a statement for the first rows of an owner, at most `limit`. */
export type ComposeFirst = (owner: string, parameters: Parameters, limit: number) => string

interface OwnersOptions {
  /** The output columns of the order of several owners' rows. PostgreSQL does not guarantee the order of a subquery. */
  sorted?: string
}

/** Reads the rows of one owner, or of each of many with one statement. */
export async function readOwners<Row extends object>(
  context: Context,
  ownerIds: readonly string[],
  compose: Compose,
  { sorted }: OwnersOptions = {},
): Promise<ReadonlyMap<string, Row[]>> {
  const [ownerId] = ownerIds
  if (ownerIds.length === 1 && ownerId !== undefined) {
    const parameters = new Parameters(context.now())
    const text = compose(`${parameters.add(ownerId)}::uuid`, parameters)
    return new Map([[ownerId, await query<Row>(context.database.pool, text, parameters.values)]])
  }
  const rows = await queryFor<Row & { ownerId: string }>(
    context,
    ownerIds,
    (owners, parameters) => `SELECT owner.id AS "ownerId", listed.* FROM unnest(${owners}) owner(id)
      CROSS JOIN LATERAL (${compose('owner.id', parameters)}) listed ${sorted === undefined ? '' : `ORDER BY ${sorted}`}`,
  )
  return Map.groupBy(rows, (row) => row.ownerId)
}

/** Executes a statement for many owners, which are an SQL expression of type uuid[]. */
function queryFor<Row extends object>(
  { database: { pool }, now }: Context,
  ownerIds: readonly string[],
  compose: (owners: string, parameters: Parameters) => string,
): Promise<Row[]> {
  const parameters = new Parameters(now())
  return query<Row>(pool, compose(`${parameters.add(ownerIds)}::uuid[]`, parameters), parameters.values)
}

/** Reads the rows of many owners as one set. `compose` compares the owner only by `=`. */
export const readTogether = <Row extends object>(context: Context, ownerIds: readonly string[], compose: Compose): Promise<Row[]> =>
  queryFor(context, ownerIds, (owners, parameters) => compose(`ANY (${owners})`, parameters))

interface AcrossOptions {
  /** The output columns of the order. */
  sorted: string
  limit: number
  offset?: number
}

/**
 * Reads the first `limit` rows of many owners as one list. `compose` builds the statement for the first rows of one owner, which an index
 * finds. The statement first reads one row of each owner: only the `limit` owners whose first row comes first can have rows in the result.
 */
export function readAcross<Row extends object>(
  context: Context,
  ownerIds: readonly string[],
  compose: ComposeFirst,
  { sorted, limit, offset = 0 }: AcrossOptions,
): Promise<Row[]> {
  const rows = offset + limit
  return queryFor<Row>(context, ownerIds, (owners, parameters) => {
    const first = `SELECT owner.id FROM unnest(${owners}) owner(id)
      CROSS JOIN LATERAL (${compose('owner.id', parameters, 1)}) first ORDER BY ${sorted} LIMIT ${parameters.add(rows)}`
    return `SELECT listed.* FROM (${first}) owner CROSS JOIN LATERAL (${compose('owner.id', parameters, rows)}) listed ORDER BY ${sorted} LIMIT ${parameters.add(limit)} OFFSET ${parameters.add(offset)}`
  })
}
