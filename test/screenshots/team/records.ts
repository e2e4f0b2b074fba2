import { products } from '../../../schema/core/products.ts'
import { Application } from '../../../prisma/generated/client/enums.ts'
import { deviceGrantType } from '../../support/oauth/device.ts'
import { password } from '../../support/oauth/oauth.ts'
import { invoiceRecords } from './invoices.ts'
import { newcomer, owner, people, secured, teamSlug, viewers } from './people.ts'

/** The other teams of the owner, in which they have the other roles, and the team that they deleted. */
const otherTeams = { contoso: 'billing', fabrikam: 'member', 'adventure-works': 'owner' } as const
const teamNames = {
  [teamSlug]: 'Northwind Traders',
  contoso: 'Contoso Research & Development',
  fabrikam: 'Fabrikam',
  'adventure-works': 'Adventure Works',
}

/** Of the clients that the users connect. */
const clients = [
  { client_id: 'pipeline', name: 'Pipeline', publisher: 'Harbor Labs GmbH', verified: true, description: 'Deploys each push.' },
  { client_id: 'ledger', name: 'Ledger', publisher: 'Ledger Inc.', description: 'Imports invoices into your accounting.' },
  { client_id: 'status-board', name: 'Status Board', description: 'Shows the state of all your teams on a screen in the office.' },
] as const
const returnAddress = 'https://app.example/callback'

/** Everything that can be imported, as records of the import command. */
export function importRecords(now: Date): object[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
  const signingIn = new Set([...Object.values(viewers).map((viewer) => viewer.email), secured])
  const users = [...people, newcomer].map(({ name, email }) => ({
    type: 'user',
    name,
    email,
    email_verified: true,
    // Only those who sign in: each password takes time to hash.
    password: signingIn.has(email) ? password : undefined,
  }))
  const teams = Object.entries(teamNames).map(([slug, name], index) => ({
    type: 'team',
    slug,
    name,
    timezone: 'Europe/Berlin',
    created_at: daysAgo(430 - index * 80),
  }))
  const members = people.map(({ email, role, products: ids, memberFor }) => ({
    type: 'member',
    team: teamSlug,
    user: email,
    role,
    ...(ids && { accessible_app_ids: ids }),
    joined_at: daysAgo(memberFor),
  }))
  const elsewhere = Object.entries(otherTeams).flatMap(([team, role], index) => [
    { type: 'member', team, user: people[10 + index]?.email, role: 'owner', joined_at: daysAgo(300) },
    { type: 'member', team, user: owner.email, role, joined_at: daysAgo(90) },
  ])
  const apps = Object.values(Application)
    .filter((id) => id !== 'billing')
    .map((id, index) => ({
      type: 'app',
      team: teamSlug,
      id,
      name: products[id].name,
      description: products[id].about,
      url: `https://${id}.northwind.example`,
      status: id === 'backup' ? 'suspended' : 'active',
      connected_at: daysAgo(420 - index * 30),
    }))
  return [...users, ...teams, ...members, ...elsewhere, ...apps, ...invoiceRecords(now), ...clients.map(registrationOf)]
}

const registrationOf = (client: (typeof clients)[number]) => ({
  type: 'client',
  ...client,
  redirect_uris: [returnAddress],
  confidential: false,
  grants: ['authorization_code', 'refresh_token', deviceGrantType],
  scopes: {
    required: ['openid'],
    optional: ['profile', 'email', 'offline_access', 'teams', 'acct:team:read', 'acct:team:members:write', 'acct:team:invoices:read'],
  },
  team: 'optional',
})
