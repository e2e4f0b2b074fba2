import { metadata } from './setting-metadata.ts'
import { integer } from './setting-types.ts'

const days = integer(0, 36_500)

/** The rows of the settings about how long data is kept that the service no longer needs (docs/operations/privacy.md). */
export const retentionSettings = {
  auditDays: days
    .prefault('400')
    .register(metadata, { variable: 'AUDIT_DAYS', description: 'Days for which audit entries are kept; 0 for ever.' }),
  endedInvitationDays: days.prefault('90').register(metadata, {
    variable: 'ENDED_INVITATION_DAYS',
    description: 'Days for which invitations are kept after they were answered, were revoked or have expired; 0 for ever.',
  }),
  endedTokenDays: days.prefault('90').register(metadata, {
    variable: 'ENDED_TOKEN_DAYS',
    description: 'Days for which the metadata of access tokens is kept after they were revoked or have expired; 0 for ever.',
  }),
  endedGrantDays: days.prefault('30').register(metadata, {
    variable: 'ENDED_GRANT_DAYS',
    description: 'Days for which grants of clients are kept after they were revoked or have expired; 0 for ever.',
  }),
}
