// A machine acts for its team without a user: a confidential client of a team, by the client credentials grant, or a workload identity. All
// of these conditions are checked again with every request.

/** Regular expression of a UUID. The public identifier of a client can be any text; that of a workload identity is a UUID. */
const uuid = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`

/** SQL condition for a client `c` that may act for its team. */
export const isWorkingClient = `c.disabled_at IS NULL AND c.confidential AND 'client_credentials' = ANY (c.grant_types)`

/**
 * SQL that joins the machine with this public identifier: the client `c` or, without one, the workload identity `w`, each with its team `t`.
 * There is no row if the machine can no longer act for its team, or the team is deleted.
 */
export const machineTeam = (publicId: string) => `LEFT JOIN oauth_clients c ON c.client_id = ${publicId} AND ${isWorkingClient}
     LEFT JOIN workload_identities w ON c.id IS NULL AND w.id = CASE WHEN ${publicId} ~ ${uuid} THEN (${publicId})::uuid END
     JOIN teams t ON t.id = coalesce(c.owner_team_id, w.team_id) AND t.deleted_at IS NULL`

/** SQL for a digest of the issuer and conditions of a workload identity. A token is valid while it equals the digest at its issuance. */
export const buildTrustCondition = (identity: string) =>
  `encode(sha256(convert_to(${identity}.issuer || ' ' || ${identity}.conditions::text, 'UTF8')), 'hex')`
