import { z } from 'zod'
import { ConnectedAppStatus } from '../../../../prisma/generated/client/enums.ts'
import { applicationId } from '../../../../schema/apps/application.ts'
import { displayName, text } from '../../../../schema/core/validation.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, stored } from '../storage.ts'
import { instant, webAddress } from '../values.ts'

export const appRecord = recordType({
  schema: z.strictObject({
    type: z.literal('app'),
    team: reference('team', teamSlug, { isKey: true }),
    id: stored('"Application"', applicationId, { column: 'application', isKey: true }),
    name: stored('text', displayName),
    description: stored('text', optional(text)),
    url: stored('text', optional(webAddress)),
    status: stored('"ConnectedAppStatus"', optional(z.enum(ConnectedAppStatus)), { default: 'active' }),
    connected_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
  }),
  table: 'connected_apps',
  orderBy: 't.slug COLLATE "C", e.application',
  subject: ['id', 'team'],
})
