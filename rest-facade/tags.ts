import { products } from '../schema/core/products.ts'

/** The groups of operations in OpenAPI, in the order of the documentation. */
export const tags = {
  Teams: 'The teams that a credential can access.',
  Products:
    'The products that a team uses. Paths and schemas call them apps or connected applications. On the account site, apps are OAuth clients.',
  Invoices: 'The invoices issued to a team, with their lines on request.',
  Members: 'The users who are members of a team, their roles and product access.',
  Invitations: 'Invitations to join a team, sent by email.',
  'Team tokens': 'Metadata of a team’s access tokens. Values are never returned.',
  Events: 'What happened in a team, oldest first.',
  Webhooks: 'URLs to which the events of a team are delivered, signed as in Standard Webhooks 1.0, and what they answered.',
  Account: 'The account or team behind a credential.',
  [products.flow.name]: 'The part of the API of this product (`flow`) that this service serves.',
} as const

export type Tag = keyof typeof tags
