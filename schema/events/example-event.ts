import type { z } from 'zod'
import type { EventSubject, eventData } from './event-data.ts'
import { eventTypes } from './event-types.ts'
import type { EventType } from './event-types.ts'
import type { TeamEventNode } from './event.ts'

const user = 'a3f1c9d2-5b64-4e0a-9c7d-1f2e3d4c5b6a'
const object = '0f8fad5b-d9cb-469f-a165-70867728950e'

type ExampleData = { readonly [Subject in EventSubject]: z.output<(typeof eventData)[Subject]> }

/** Example data of each kind of object. */
const exampleData: ExampleData = {
  team: { changes: { name: { before: 'Acme', after: 'Acme Inc.' } } },
  member: {
    user_id: user,
    email: 'ada@example.com',
    role: 'member',
    accessible_app_ids: null,
    changes: { role: { before: 'owner', after: 'member' } },
  },
  invitation: { invitation_id: object, email: 'ada@example.com', role: 'member', accessible_app_ids: null, user_id: null },
  token: { token_id: object, name: 'Nightly export', hint: 'tat_\u2026f3a9', scopes: ['acct:team:members:read'], expires_at: null },
  grant: { grant_id: object, client_id: 'example-app', client_name: 'Example app', user_id: user, scopes: ['teams'] },
  invoice: {
    invoice_id: object,
    number: '2026-0042',
    status: 'open',
    currency: 'eur',
    total: 11_900,
    amount_due: 11_900,
    due_date: '2026-12-15',
  },
  webhook: { webhook_id: object, reason: 'failing' },
}

/** Values that differ from those of other types about the same kind of object. */
const particulars: { readonly [Type in EventType]?: Partial<ExampleData[(typeof eventTypes)[Type]['subject']]> } = {
  'team.deleted': { changes: {} },
  'team.restored': { changes: {} },
  'member.joined': { changes: {} },
  'member.removed': { changes: {} },
  'invitation.accepted': { user_id: user },
  'invoice.paid': { status: 'paid', amount_due: 0 },
}

/** Builds an example event of a type, for documentation and to test a webhook. */
export const exampleEvent = (type: EventType, { id, team, at }: { id: string; team: string; at: Date }): TeamEventNode => ({
  id,
  type,
  occurredAt: at.toISOString(),
  team,
  sequence: `0000000000000000_${at.toISOString()}_${id}_0`,
  actor: { kind: 'user', id: user, name: 'Ada Lovelace' },
  data: { ...exampleData[eventTypes[type].subject], ...particulars[type] },
})
