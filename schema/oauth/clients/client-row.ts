import { Prisma } from '../../../prisma/generated/client/client.ts'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { toColumnName } from '../../../prisma/statement/write-row.ts'
import type { ClientWithSecrets } from './client.ts'
import { getProperty, mapMembers } from './map-members.ts'
import { optionalMembers } from './optional-members.ts'
import type { OptionalMember } from './optional-members.ts'

/** A client as lists select it: its instants are text, and its secrets have only their times. */
export type ClientRow = Omit<ClientWithSecrets, 'secrets'> & { secrets: { createdAt: string; expiresAt: string | null }[] }

const optionalProperties = Object.values(mapMembers<Record<OptionalMember, keyof OAuthClient>>(getProperty))
const optionalLists = Object.entries(optionalMembers).flatMap(([member, { type }]) => (type === 'uris' ? [member] : []))
const lists = new Set(['redirectUris', 'grantTypes', 'requiredScopes', 'optionalScopes', ...optionalLists])

/** The properties of a client that its registration contains. */
export const registrationProperties = [
  ...(['name', 'description', 'redirectUris', 'confidential', 'grantTypes', 'requiredScopes', 'optionalScopes', 'team'] as const),
  ...optionalProperties,
]

/** Builds the columns of these properties, in a SELECT with this alias. */
export const selectClientColumns = (alias: string, properties: readonly (keyof OAuthClient)[]): string =>
  properties
    .map((property) => {
      const column = `${alias}.${toColumnName(property)}`
      return `${lists.has(property) ? `to_json(${column})` : column} AS "${property}"`
    })
    .join(', ')

/** The columns of a client `r` in lists. Secrets are in the order of `longestValidFirst`, without their hashes. */
export const listedClientColumns = `${selectClientColumns('r', Object.values(Prisma.OAuthClientScalarFieldEnum))},
    (SELECT coalesce(json_agg(json_build_object('createdAt', s.created_at, 'expiresAt', s.expires_at)
      ORDER BY s.expires_at DESC NULLS FIRST, s.created_at DESC, s.id DESC), '[]')
    FROM oauth_client_secrets s WHERE s.oauth_client_id = r.id) AS secrets`

export const toClient = ({ secrets, ...client }: ClientRow): ClientWithSecrets => ({
  ...client,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no field of a secret reads more than its times
  secrets: secrets.map(({ createdAt, expiresAt }) => ({
    createdAt: new Date(createdAt),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  })) as ClientWithSecrets['secrets'],
})
