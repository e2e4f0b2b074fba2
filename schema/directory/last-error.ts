import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { seeSignInSettings } from '../core/requires.ts'
import { loadById } from '../lists/batch.ts'
import { TeamType } from '../teams/team.ts'
import { buildDirectoryUrl } from './directory-url.ts'
import type { DirectoryError } from './record-error.ts'
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
