/** The groups of the documentation, in its order. */
export const tags = {
  Teams: 'The teams a credential reaches.',
  'Connected applications': 'The applications connected to a team.',
  Invoices: 'The invoices issued to a team, with their lines where asked.',
  Members: 'The users who are members of a team, their roles and application access.',
  Invitations: 'Invitations to join a team, sent by e-mail.',
  'Team tokens': 'Metadata of a team’s access tokens. Values are never returned.',
  Account: 'Who a credential stands for.',
  Flow: 'The flow product’s API, as far as it is documented here.',
} as const

export type Tag = keyof typeof tags
