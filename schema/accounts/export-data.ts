import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change } from '../core/audit/audit.ts'
import { jsonRows } from '../core/database/json-rows.ts'
import { operatorOnly, recentSession } from '../core/requires.ts'
import { staffRoleSql } from '../core/staff/staff-role.ts'
import { requirePerson } from '../core/team-access/team-access.ts'
import { findUser, UserInput } from './user.ts'

/** Builds SQL for the rows of a table as a JSON array. `columns` are column names, or SQL expressions with a name. */
const rowsSql = (columns: string, source: string, order: string) => jsonRows(`SELECT ${columns} FROM ${source} ORDER BY ${order}`)

/**
 * Selects everything that is stored about a user, without values that authenticate. Audit entries are included if the user is the actor, or
 * if the user is the subject and a member of the team. A request of an email for another account is left out, because the user must not
 * learn whether the email address has an account.
 */
const dataOfUser = statement<{ data: object }, [userId: string]>(
  'data_of_user',
  `SELECT json_build_object(
     'profile', (SELECT to_json(p) FROM (SELECT u.id, u.email, u.email_verified, u.name, u.timezone, u.date_format, u.muted_mails, u.staff, ${staffRoleSql('u')} AS staff_role, u.disabled_at, u.last_active_at,
       (SELECT t.slug FROM teams t WHERE t.id = u.last_team_id) AS last_team,
       u.password_hash IS NOT NULL AS has_password, u.totp_secret IS NOT NULL AS has_authenticator_app, u.created_at, u.updated_at) p),
     'picture', (SELECT json_build_object('type', 'image/webp', 'base64', replace(encode(i.large, 'base64'), E'\\n', ''), 'created_at', i.created_at) FROM pictures i WHERE i.user_id = u.id),
     'memberships', ${rowsSql(
       't.slug AS team, t.name AS team_name, m.role, m.all_applications, m.applications, m.joined_at',
       'members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id',
       't.slug',
     )},
     'invitations', ${rowsSql(
       't.slug AS team, i.email, i.role, i.status, i.created_at, i.sent_at, i.expires_at, i.answered_at',
       'invitations i JOIN teams t ON t.id = i.team_id WHERE i.email = u.email',
       'i.created_at, i.id',
     )},
     'sessions', ${rowsSql(
       's.id, s.created_at, s.authenticated_at, s.methods, s.last_used_at, s.address, s.user_agent',
       'sessions s WHERE s.user_id = u.id',
       's.created_at, s.id',
     )},
     'trusted_devices', ${rowsSql(
       'd.id, d.created_at, d.last_used_at, d.expires_at, d.address, d.user_agent',
       'trusted_devices d WHERE d.user_id = u.id',
       'd.created_at, d.id',
     )},
     'failed_sign_ins', ${rowsSql('f.method, f.reason, f.count, f.first_at, f.last_at', 'failed_sign_ins f WHERE f.user_id = u.id', 'f.last_at, f.method, f.reason')},
     'passkeys', ${rowsSql('k.id, k.name, k.created_at, k.last_used_at, k.is_backed_up', 'passkeys k WHERE k.user_id = u.id', 'k.created_at, k.id')},
     'external_identities', ${rowsSql(
       `x.id, coalesce(x.social::text, p.name) AS provider, t.slug AS team, nullif(x.issuer, '') AS issuer, x.subject, x.email, x.created_at,
        x.last_sign_in_at`,
       'external_identities x LEFT JOIN identity_providers p ON p.id = x.provider_id LEFT JOIN teams t ON t.id = p.team_id WHERE x.user_id = u.id',
       'x.created_at, x.id',
     )},
     'directory_records', ${rowsSql(
       `t.slug AS team, d.user_name, d.external_id, d.attributes, d.created_at, d.updated_at,
        ARRAY(SELECT g.display_name FROM scim_group_members m JOIN scim_groups g ON g.id = m.group_id
          WHERE m.team_id = d.team_id AND m.user_id = d.user_id ORDER BY g.display_name) AS groups`,
       'scim_users d JOIN teams t ON t.id = d.team_id WHERE d.account_id = u.id',
       't.slug',
     )},
     'tokens', ${rowsSql(
       'a.id, a.name, a.last_four, a.scopes, a.created_at, a.last_used_at, a.expires_at, a.revoked_at',
       'access_tokens a WHERE a.user_id = u.id',
       'a.created_at, a.id',
     )},
     'grants', ${rowsSql(
       'g.id, c.client_id, c.name AS client_name, t.slug AS team, p.name AS identity_provider, g.scopes, g.created_at, g.last_used_at, g.expires_at, g.revoked_at',
       'oauth_grants g JOIN oauth_clients c ON c.id = g.oauth_client_id LEFT JOIN teams t ON t.id = g.team_id LEFT JOIN identity_providers p ON p.id = g.provider_id WHERE g.user_id = u.id',
       'g.created_at, g.id',
     )},
     'audit_entries', ${rowsSql(
       'e.id, e.at, e.action, e.actor_name, e.authentication_method, e.client_name, t.slug AS team, e.subject, e.subject_name, e.before, e.after, e.reason',
       `(SELECT * FROM audit_entries WHERE actor_user_id = u.id
           AND (action NOT IN ('requestPasswordReset', 'requestSignInCode') OR subject = u.id::text)
         UNION SELECT * FROM audit_entries WHERE team_id IS NULL AND subject = u.id::text AND (actor_kind = 'staff' OR action = 'endSupportSession')
         UNION SELECT * FROM audit_entries WHERE team_id IN (SELECT team_id FROM members WHERE user_id = u.id) AND subject = u.id::text
       ) e LEFT JOIN teams t ON t.id = e.team_id`,
       'e.at, e.id',
     )}) AS data
   FROM users u WHERE u.id = $1`,
)

const ExportPayload = payloadType<{ data: string }>('ExportUserPayload', {
  description: 'The data of a user.',
  fields: (t) => ({
    data: t.exposeString('data', {
      description:
        'A JSON document: profile, picture, memberships, invitations, sessions, trusted devices, failed sign-ins, passkeys, accounts at identity providers, records of directories, tokens, grants and audit entries. It contains no value that authenticates.',
    }),
  }),
})

builder.mutationFields((t) => ({
  exportAccount: t.field({
    description: 'Returns the data that is stored about the signed-in user. It is a mutation because it writes an audit entry.',
    type: ExportPayload,
    requires: recentSession,
    resolve: (_, __, context, info) => change(context, info, (transaction) => exportData(transaction, requirePerson(context).user.id)),
  }),
  exportUser: t.field({
    description: 'Returns the data that is stored about a user. It is a mutation because it writes an audit entry. For operators.',
    type: ExportPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = await findUser(context.database, input)
      return change(context, info, (transaction) => exportData(transaction, id))
    },
  }),
}))

async function exportData(transaction: Transaction, id: string) {
  const [row] = await dataOfUser(transaction, id)
  return { result: { data: JSON.stringify(row?.data ?? null) }, subject: id }
}
