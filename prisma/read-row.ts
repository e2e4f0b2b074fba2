import type pg from 'pg'
import { Prisma } from './generated/client/client.ts'
import { columnOf } from './write-row.ts'

/** The columns of the tables that are read as Prisma reads them, with the names of their properties, in a SELECT with this alias. */
export const tokenColumns = columns(Prisma.AccessTokenScalarFieldEnum, 't')
export const userColumns = columns(Prisma.UserScalarFieldEnum, 'u')

function columns(properties: Record<string, string>, alias: string): string {
  return Object.values(properties)
    .map((property) => `${alias}.${columnOf(property)} AS "${property}"`)
    .join(', ')
}

/**
 * Executes a prepared statement that selects at most one row, and returns it as Prisma would, with Dates. For a row that Prisma's
 * query builder cannot lock, or reads in several statements. Rows for responses are read by `statement`.
 */
export async function readRow<Row>(
  database: { query(statement: pg.QueryConfig): Promise<pg.QueryResult> },
  name: string,
  text: string,
  value: unknown,
): Promise<Row | null> {
  const { rows } = await database.query({ name, text, values: [value] })
  return rows[0] ?? null
}
