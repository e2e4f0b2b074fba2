import type { EventSubject } from './event-data.ts'

interface EventDeclaration {
  subject: EventSubject
  /** Occasion of the event, as a sentence. */
  about: string
}

/** The types of events (docs/decisions/events.md). The feed, its filter, GraphQL's enum and OpenAPI are derived from these rows. */
export const eventTypes = {
  'team.updated': { subject: 'team', about: 'A setting of the team was changed.' },
  'team.deleted': { subject: 'team', about: 'The team was deleted, and its pending invitations were revoked.' },
  'team.restored': { subject: 'team', about: 'The team was restored after its deletion.' },
  'member.joined': { subject: 'member', about: 'A user became a member.' },
  'member.updated': { subject: 'member', about: 'The role of a member, or the products that they may use, were changed.' },
  'member.removed': {
    subject: 'member',
    about: 'A member left, was removed, or deleted their account; the apps that they connected lose access to the team.',
  },
  'invitation.created': { subject: 'invitation', about: 'Someone was invited, or their invitation was renewed.' },
  'invitation.accepted': { subject: 'invitation', about: 'An invitation was accepted.' },
  'invitation.declined': { subject: 'invitation', about: 'An invitation was declined.' },
  'invitation.expired': { subject: 'invitation', about: 'An invitation was not answered in time.' },
  'invitation.revoked': { subject: 'invitation', about: 'An invitation was revoked.' },
  'token.created': { subject: 'token', about: 'A team token was created.' },
  'token.rotated': { subject: 'token', about: 'A team token got a new value.' },
  'token.revoked': { subject: 'token', about: 'A team token was revoked.' },
  'token.expires_soon': { subject: 'token', about: 'A team token expires in 7 days, or in 1 day.' },
  'grant.created': { subject: 'grant', about: 'A member connected an app to the team.' },
  'grant.changed': { subject: 'grant', about: 'The scopes of a connected app changed.' },
  'grant.revoked': { subject: 'grant', about: 'The access of a connected app to the team was revoked, or the app was deleted.' },
  'invoice.issued': { subject: 'invoice', about: 'The team got a new invoice.' },
  'invoice.updated': { subject: 'invoice', about: 'An invoice was changed, other than by being paid.' },
  'invoice.paid': { subject: 'invoice', about: 'An invoice was paid in full.' },
  'invoice.overdue': { subject: 'invoice', about: 'The due date of an open invoice passed, in UTC.' },
  'webhook.disabled': {
    subject: 'webhook',
    about: 'A webhook was disabled because its endpoint failed for three days, or responded with 410 Gone.',
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>

export type EventType = keyof typeof eventTypes

export const isEventType = (name: string): name is EventType => Object.hasOwn(eventTypes, name)
export const eventTypeNames = Object.keys(eventTypes).filter(isEventType)
