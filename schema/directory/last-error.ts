import { statement } from '../../prisma/statement/statement.ts'
import { removeInvisible } from '../accounts/person-name.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import type { Ports } from '../core/ports.ts'
import { seeSignInSettings } from '../core/requires.ts'
import { loadById } from '../lists/batch.ts'
import { TeamType } from '../teams/team.ts'
import { seeDirectoryUsers } from './rules.ts'

interface StoredError extends DirectoryError {
  /** The identifier of the team. */
  id: string
  at: string
}

const errorsOfTeams = statement<StoredError, [teamIds: readonly string[]]>(
  'directory_errors_of_teams',
  `SELECT team_id AS id, at, method, path, status, scim_type AS "scimType", detail FROM directory_errors WHERE team_id = ANY ($1::uuid[])`,
)

const DirectoryErrorType = builder.objectRef<StoredError>('DirectoryError').implement({
  describedBy: 'DirectoryError',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    method: t.exposeString('method'),
    path: t.exposeString('path'),
    status: t.exposeInt('status'),
    scimType: t.exposeString('scimType', { nullable: true }),
    detail: t.exposeString('detail'),
  }),
})

builder.objectFields(TeamType, (t) => ({
  directoryUrl: t.string({
    description: 'The URL at which the directory of the team, such as Entra ID or Okta, adds and removes members through SCIM 2.0.',
    requires: seeSignInSettings,
    resolve: (_, __, context) => buildDirectoryUrl(context),
  }),
  // The message can contain the name of a member, so the field requires the permission to see members.
  lastDirectoryError: t.field({
    description:
      'The last error that the directory of the team received, or null. It is stored at most once a minute, and deleted after 30 days.',
    type: DirectoryErrorType,
    nullable: true,
    requires: seeDirectoryUsers,
    resolve: ({ id }, _, context) =>
      loadById(context, 'last errors of directories', id, (ids) => errorsOfTeams(context.database.pool, ids)),
  }),
}))

/** An error that the directory of a team received. */
export interface DirectoryError {
  method: string
  /** The path without identifiers: `/scim/v2/Users/{id}`. */
  path: string
  status: number
  /** The detail code of RFC 7644 §3.12, or null. */
  scimType: string | null
  /** The message for the administrator of the directory. */
  detail: string
}

/** Maximum characters of the stored message. */
const maxDetail = 500

// A directory repeats refused requests many times a second. The first one of a minute is stored, so that they do not all write one row.
const storeError = statement<
  object,
  [teamId: string, at: Date, method: string, path: string, status: number, scimType: string | null, detail: string]
>(
  'store_directory_error',
  `INSERT INTO directory_errors (team_id, at, method, path, status, scim_type, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (team_id) DO UPDATE SET at = $2, method = $3, path = $4, status = $5, scim_type = $6, detail = $7
   WHERE directory_errors.at <= $2::timestamptz - interval '1 minute'`,
)

/** Stores the last error that the directory of a team received, at most once a minute (docs/decisions/scim.md#last-error). */
export async function recordDirectoryError(
  { database, now }: Pick<Context, 'database' | 'now'>,
  teamId: string,
  { method, path, status, scimType, detail }: DirectoryError,
): Promise<void> {
  const shown = Array.from(removeInvisible(detail)).slice(0, maxDetail).join('')
  await storeError(database.pool, teamId, now(), method, path, status, scimType, shown)
}

/** Returns the URL of the resources of directories, which the administrator of a directory enters there. */
export const buildDirectoryUrl = ({ authUrl }: Pick<Ports, 'authUrl'>): string => `${authUrl}/scim/v2`
