import { wholeNumberSetting } from './setting-types.ts'

const days = wholeNumberSetting(0, 36_500)

/** Settings for the time after which unneeded data is deleted (docs/operations/privacy.md). */
export const retentionSettings = {
  auditDays: days('AUDIT_DAYS', 400, 'Days to keep audit entries. 0 keeps them forever.'),
  endedInvitationDays: days(
    'ENDED_INVITATION_DAYS',
    90,
    'Days to keep invitations after they were answered or revoked, or expired. 0 keeps them forever.',
  ),
  endedTokenDays: days(
    'ENDED_TOKEN_DAYS',
    90,
    'Days to keep the metadata of access tokens after they were revoked or expired. 0 keeps it forever.',
  ),
  endedGrantDays: days('ENDED_GRANT_DAYS', 30, 'Days to keep grants of clients after they were revoked or expired. 0 keeps them forever.'),
  deletedTeamDays: wholeNumberSetting(1, 3_650)(
    'DELETED_TEAM_DAYS',
    14,
    'Days in which a deleted team can be restored. After that, only its invoices, name and slug are kept.',
  ),
}
