import type { IdentityProvider } from '../../prisma/generated/client/client.ts'
import { providerColumns, readRow } from '../../prisma/statement/read-row.ts'
import type { Ports } from '../core/ports.ts'
import { decryptOrNull, encrypt, reencrypt } from '../core/encryption.ts'
import { isIdentifier } from '../core/validation.ts'

type Deriver = Pick<Ports, 'deriveSecret'>

/** An identity provider of a team, with the columns that sign-in needs. */
export interface StoredProvider extends Omit<IdentityProvider, 'clientSecret'> {
  teamSlug: string
  teamName: string
  /** Null for a provider without a secret, and if it was encrypted under another SECRET_KEY and is therefore lost. */
  clientSecret: string | null
}

type ProviderRow = IdentityProvider & Pick<StoredProvider, 'teamSlug' | 'teamName'>

const providerById = `SELECT ${providerColumns}, t.slug AS "teamSlug", t.name AS "teamName"
  FROM identity_providers p JOIN teams t ON t.id = p.team_id WHERE p.id = $1 AND t.deleted_at IS NULL`

/** Returns a provider by its identifier, with its secret; null for that of a deleted team. The caller checks `disabledAt`. */
export async function findProvider(ports: Pick<Ports, 'database' | 'deriveSecret'>, id: string): Promise<StoredProvider | null> {
  const row = isIdentifier(id) ? await readRow<ProviderRow>(ports.database.pool, 'identity_provider_by_id', providerById, id) : null
  return row && { ...row, clientSecret: row.clientSecret && decryptClientSecret(ports, row.clientSecret, row.id) }
}

/** Encrypts the client secret for storage. It is not hashed, because each sign-in needs it. */
export const encryptClientSecret = ({ deriveSecret }: Deriver, secret: string, providerId: string): Buffer<ArrayBuffer> =>
  encrypt(deriveSecret(...keyed(providerId)), Buffer.from(secret), boundTo)

/** Decrypts the stored secret; null if it was encrypted under another SECRET_KEY. */
export const decryptClientSecret = ({ deriveSecret }: Deriver, encrypted: Uint8Array, providerId: string): string | null =>
  decryptOrNull(deriveSecret.accepted(...keyed(providerId)), encrypted, boundTo)?.toString() ?? null

/** Encrypts a stored secret under the current SECRET_KEY; null if no key fits. */
export const reencryptClientSecret = ({ deriveSecret }: Deriver, encrypted: Uint8Array, providerId: string): Uint8Array | null =>
  reencrypt(deriveSecret.accepted(...keyed(providerId)), encrypted, boundTo)

const keyed = (providerId: string) => ['client secret of an identity provider', Buffer.from(providerId)] as const
const boundTo = Buffer.from('client secret of an identity provider')
