import { randomBytes } from 'node:crypto'
import type { OpenDatabase } from '../../../../prisma/connection/database.ts'
import type { Team } from '../../../../prisma/generated/client/client.ts'
import { tokenScopes } from '../../../../schema/core/scopes.ts'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { buildTrustCondition } from '../../../../schema/core/team-access/machines.ts'
import { sha256 } from '../../../../schema/core/sha256.ts'
import { teamToken } from '../../data/team.ts'
import { addSecret } from '../../service/secrets/secrets-in-logs.ts'
import type { TestService } from '../../service/service.ts'
import { createClient, post } from '../oauth.ts'
import type { ClientOptions, TestClient } from '../oauth.ts'

// Clients that act for their team by the client credentials grant.

/** Registers a client of a team. Default: the client credentials grant alone, with every scope of a team token. */
export const createTeamClient = (database: OpenDatabase, team: Pick<Team, 'id'>, options: ClientOptions = {}): Promise<TestClient> =>
  createClient(database, {
    ownerTeamId: team.id,
    grantTypes: ['client_credentials'],
    redirectUris: [],
    requiredScopes: [],
    optionalScopes: [...tokenScopes],
    ...options,
  })

/** Asks the token endpoint for an access token of the client itself. */
export const requestMachineToken = (
  service: Pick<TestService, 'url'>,
  client: Pick<TestClient, 'clientId' | 'secret'>,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) => post(service, '/api/oauth/token', client, { grant_type: 'client_credentials', ...fields }, headers)

interface MachineTokenOptions {
  scopes?: readonly Scope[]
  expiresAt?: Date
}

/** Creates an access token of a new client of the team directly in the database. Default: every scope, valid for 15 minutes. */
export async function clientToken(
  database: OpenDatabase,
  team: Pick<Team, 'id'>,
  { scopes = tokenScopes, expiresAt = new Date(Date.now() + 15 * 60_000) }: MachineTokenOptions = {},
): Promise<string> {
  const { clientId } = await createTeamClient(database, team)
  return machineToken(database, clientId, { scopes, expiresAt })
}

/** Functions that create each kind of credential of a team. All of them have the same rights. */
export const teamCredentials = [teamToken, clientToken]

/** A token of a workload identity is marked with whom the identity trusts. */
const markTrust = `UPDATE oidc_models a SET payload = a.payload || jsonb_build_object('trust', ${buildTrustCondition('w')})
  FROM workload_identities w WHERE a.id_hash = $1 AND w.id::text = $2`

/** Creates an access token of the client or workload identity with this public identifier. */
export async function machineToken(
  { prisma, pool }: OpenDatabase,
  clientId: string,
  { scopes, expiresAt }: Required<MachineTokenOptions>,
): Promise<string> {
  const value = randomBytes(33).toString('base64url')
  addSecret(value)
  const seconds = (time: Date) => Math.floor(time.getTime() / 1000)
  const payload = { iat: seconds(new Date()), exp: seconds(expiresAt), clientId, scope: scopes.join(' ') }
  await prisma.oidcModel.create({ data: { idHash: sha256(value), kind: 'ClientCredentials', payload, expiresAt } })
  await pool.query({ text: markTrust, values: [sha256(value), clientId] })
  return value
}
