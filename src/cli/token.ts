import { command, UsageError } from './command.ts'
import { allPages, asOperator } from './context.ts'
import type { Ask } from './context.ts'
import { durationSeconds } from './duration.ts'
import { table } from './output.ts'

interface Token {
  id: string
  name: string
  hint: string
  scopes: string[]
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
  revoked_at: Date | null
}
const members = 'id name hint scopes created_at: createdAt last_used_at: lastUsedAt expires_at: expiresAt revoked_at: revokedAt'

const owner = {
  team: { value: 'SLUG', about: 'team it belongs to' },
  user: { value: 'EMAIL', about: 'person it belongs to' },
} as const

type Owner = { team: string; user?: undefined } | { user: string; team?: undefined }

function oneOwner({ team, user }: { team: string | undefined; user: string | undefined }): Owner {
  if (team !== undefined && user === undefined) return { team }
  if (user !== undefined && team === undefined) return { user }
  throw new UsageError('one of --team SLUG and --user EMAIL is required')
}

export const tokenCreate = command({
  name: 'token create',
  about: 'Creates an access token of a team or a person and prints its value, this once.',
  options: {
    ...owner,
    name: { value: 'NAME', required: true, about: 'what to call it' },
    scope: { value: 'SCOPE', required: true, multiple: true, about: 'scope it carries' },
    'expires-in': {
      value: 'TIME',
      about: 'how long it works: 90d, in s, m, h, d, w or y; a person’s 90d unless told and at most 1y, a team’s for ever',
    },
  },
  run: async ({ options }) => {
    const target = oneOwner(options)
    const lifetime = options['expires-in'] ?? (target.user === undefined ? undefined : '90d')
    const expiresAt = lifetime === undefined ? null : new Date(Date.now() + durationSeconds(lifetime, '--expires-in') * 1000).toISOString()
    const kind = target.user === undefined ? 'Team' : 'Personal'
    const payload = await asOperator((ask) =>
      ask<{ created: { token: Token; value: string } }>(
        `mutation ($input: Create${kind}TokenInput!) { created: create${kind}Token(input: $input) { token { ${members} } value } }`,
        { input: { ...target, name: options.name, scopes: options.scope, expiresAt } },
      ),
    )
    const { token, value } = payload.created
    return { value: { ...token, token: value }, text: value }
  },
})

export const tokenList = command({
  name: 'token list',
  about: 'Lists the access tokens of a team or a person, newest first, never their values.',
  options: owner,
  run: async ({ options }) => {
    const target = oneOwner(options)
    const tokens = await asOperator((ask) => (target.user === undefined ? teamTokens(ask, target.team) : personalTokens(ask, target.user)))
    const rows = tokens.map(({ id, name, hint, scopes, last_used_at, expires_at, revoked_at }) => [
      id,
      name,
      hint,
      scopes.join(' '),
      last_used_at,
      expires_at,
      revoked_at,
    ])
    return { value: { data: tokens }, text: table(['id', 'name', 'hint', 'scopes', 'last used', 'expires', 'revoked'], rows) }
  },
})

const teamTokens = (ask: Ask, slug: string) =>
  allPages(async (page) => {
    const { team } = await ask<{ team: { tokens: { nodes: Token[]; lastPage: number } } }>(
      `query ($slug: String!, $page: Int!) {
        team(slug: $slug) { tokens(page: $page, perPage: 100) { nodes { ${members} created_by: createdBy { id name } } lastPage } }
      }`,
      { slug, page },
    )
    return team.tokens
  })

const personalTokens = (ask: Ask, email: string) =>
  allPages(async (page) => {
    const { user } = await ask<{ user: { tokens: { nodes: Token[]; lastPage: number } } }>(
      `query ($email: String!, $page: Int!) { user(email: $email) { tokens(page: $page, perPage: 100) { nodes { ${members} } lastPage } } }`,
      { email, page },
    )
    return user.tokens
  })

export const tokenRevoke = command({
  name: 'token revoke',
  about: 'Revokes an access token; it opens nothing from the next request on.',
  positionals: { id: { about: 'identifier of the token, as token list shows it' } },
  run: ({ positionals: { id } }) =>
    asOperator(async (ask) => {
      const { revokeToken } = await ask<{ revokeToken: { token: Token } }>(
        `mutation ($input: RevokeTokenInput!) {
          revokeToken(input: $input) { token { ... on TeamToken { ${members} } ... on PersonalToken { ${members} } } }
        }`,
        { input: { id } },
      )
      return { value: revokeToken.token, text: `Revoked token ${revokeToken.token.id}.` }
    }),
})
