/** The groups of operations in OpenAPI, in the order of the documentation. */
export const tags = {
  Teams: 'The teams that a credential can access.',
  'Connected applications': 'The applications connected to a team.',
  Invoices: 'The invoices issued to a team, with their lines on request.',
  Members: 'The users who are members of a team, their roles and application access.',
  Invitations: 'Invitations to join a team, sent by email.',
  'Team tokens': 'Metadata of a team’s access tokens. Values are never returned.',
  Events: 'What happened in a team, oldest first.',
  Account: 'The account or team behind a credential.',
  Flow: 'The part of the flow product’s API that this service documents.',
} as const

export type Tag = keyof typeof tags
