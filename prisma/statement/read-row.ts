import type pg from 'pg'
import { Prisma } from '../generated/client/client.ts'
import { toColumnName } from './write-row.ts'

/** Columns of the tables that are read in Prisma's form, with the names of their properties, in a SELECT with this alias. */
export const tokenColumns = columns(Prisma.AccessTokenScalarFieldEnum, 't')
export const userColumns = columns(Prisma.UserScalarFieldEnum, 'u')
export const clientColumns = columns(Prisma.OAuthClientScalarFieldEnum, 'c')
export const clientSecretColumns = columns(Prisma.OAuthClientSecretScalarFieldEnum, 's')
export const passkeyColumns = columns(Prisma.PasskeyScalarFieldEnum, 'p')
export const signingKeyColumns = columns(Prisma.SigningKeyScalarFieldEnum, 'k')
export const webhookColumns = columns(Prisma.WebhookScalarFieldEnum, 'w')
export const identityColumns = columns(Prisma.WorkloadIdentityScalarFieldEnum, 'w')
export const initialAccessTokenColumns = columns(Prisma.InitialAccessTokenScalarFieldEnum, 'i')
export const supportSessionColumns = columns(Prisma.SupportSessionScalarFieldEnum, 's')
export const providerColumns = columns(Prisma.IdentityProviderScalarFieldEnum, 'p')
export const domainColumns = columns(Prisma.TeamDomainScalarFieldEnum, 'd')
export const trustedDeviceColumns = columns(Prisma.TrustedDeviceScalarFieldEnum, 'd')

function columns(properties: Record<string, string>, alias: string): string {
  return Object.values(properties)
    .map((property) => `${alias}.${toColumnName(property)} AS "${property}"`)
    .join(', ')
}

/** The transaction or pool on which a row is read. */
interface Reader {
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>
}

/** Executes a prepared statement and returns its rows as Prisma would, with Dates. Rows for responses are read by `statement`. */
export async function readRows<Row>(database: Reader, name: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const { rows } = await database.query({ name, text, values })
  return rows
}

/** Executes a statement that selects at most one row, and returns the row as `readRows` does. */
export async function readRow<Row>(database: Reader, name: string, text: string, value: unknown): Promise<Row | null> {
  const [row] = await readRows<Row>(database, name, text, [value])
  return row ?? null
}
