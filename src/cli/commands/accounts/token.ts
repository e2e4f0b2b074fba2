import { scopesOfAnyKind } from '../../../../schema/core/scopes.ts'
import { command, UsageError } from '../../command.ts'
import { allPages, asOperator } from '../../context.ts'
import type { Execute } from '../../context.ts'
import { durationSeconds } from '../../arguments/duration.ts'
import { table } from '../../terminal/table.ts'

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
const tokenFields =
  'id: tokenId name hint scopes created_at: createdAt last_used_at: lastUsedAt expires_at: expiresAt revoked_at: revokedAt'

interface StoredToken extends Token {
  previous_value: { hint: string; expires_at: Date } | null
}
/** A token with the value before its last rotation. The member is absent when that value has stopped working. */
interface ListedToken extends Token {
  previous_value?: { hint: string; expires_at: Date }
}
const listed = ({ nodes, lastPage }: { nodes: StoredToken[]; lastPage: number }) => ({
  nodes: nodes.map(({ previous_value, ...token }): ListedToken => (previous_value ? { ...token, previous_value } : token)),
  lastPage,
})
const listedFields = `${tokenFields} previous_value: previousValue { hint expires_at: expiresAt }`

const stateOf = ({ revoked_at, expires_at }: Token) =>
  revoked_at !== null ? 'revoked' : expires_at !== null && new Date(expires_at).getTime() <= Date.now() ? 'expired' : 'active'

const owner = {
  team: { value: 'SLUG', stored: 'team', description: 'slug of the team that owns the token' },
  user: { value: 'EMAIL', stored: 'user', description: 'email address of the user who owns the token' },
} as const

type Owner = { team: string; user?: undefined } | { user: string; team?: undefined }

function ownerOf({ team, user }: { team: string | undefined; user: string | undefined }): Owner {
  if (team !== undefined && user === undefined) return { team }
  if (user !== undefined && team === undefined) return { user }
  throw new UsageError('one of --team SLUG and --user EMAIL is required')
}

export const tokenCreate = command({
  name: 'token create',
  summary: 'Create an access token for a team or a user',
  description: `Prints the value of the token. It is not shown again. The token of a user expires after 90 days by default and after a year
at most. The token of a team does not expire by default.`,
  options: {
    ...owner,
    name: { value: 'NAME', required: true, description: 'name of the token' },
    scope: { value: 'SCOPE', required: true, multiple: true, suggestions: scopesOfAnyKind, description: 'scope of the token' },
    'expires-in': { value: 'TIME', description: 'lifetime such as 90d, in s, m, h, d, w or y' },
  },
  run: async ({ options }) => {
    const target = ownerOf(options)
    const lifetime = options['expires-in'] ?? (target.user === undefined ? undefined : '90d')
    const expiresAt = lifetime === undefined ? null : new Date(Date.now() + durationSeconds(lifetime, '--expires-in') * 1000).toISOString()
    const kind = target.user === undefined ? 'Team' : 'Personal'
    const payload = await asOperator((execute) =>
      execute<{ created: { token: Token; value: string } }>(
        `mutation ($input: Create${kind}TokenInput!) { created: create${kind}Token(input: $input) { token { ${tokenFields} } value } }`,
        { input: { ...target, name: options.name, scopes: options.scope, expiresAt } },
      ),
    )
    const { token, value } = payload.created
    return { value: { ...token, token: value }, text: value }
  },
})

export const tokenList = command({
  name: 'token list',
  summary: 'List the access tokens of a team or a user, newest first',
  options: owner,
  run: async ({ options }) => {
    const target = ownerOf(options)
    const tokens = await asOperator((execute) =>
      target.user === undefined ? teamTokens(execute, target.team) : personalTokens(execute, target.user),
    )
    const rows = tokens.map((token) => [
      token.name,
      stateOf(token),
      token.scopes.join(' '),
      token.expires_at,
      token.id,
      token.hint,
      token.last_used_at,
      token.revoked_at,
      token.previous_value?.expires_at ?? null,
    ])
    return {
      value: { data: tokens },
      text: table(['name', 'state', 'scopes', 'expires', 'id', 'hint', 'last used', 'revoked', 'old value until'], rows),
    }
  },
})

const teamTokens = (execute: Execute, slug: string) =>
  allPages(async (page) => {
    const { team } = await execute<{ team: { tokens: { nodes: StoredToken[]; lastPage: number } } }>(
      `query ($slug: String!, $page: Int!) {
        team(slug: $slug) { tokens(page: $page, perPage: 100) { nodes { ${listedFields} created_by: createdBy { id: userId name } } lastPage } }
      }`,
      { slug, page },
    )
    return listed(team.tokens)
  })

const personalTokens = (execute: Execute, email: string) =>
  allPages(async (page) => {
    const { user } = await execute<{ user: { tokens: { nodes: StoredToken[]; lastPage: number } } }>(
      `query ($email: String!, $page: Int!) {
        user(email: $email) { tokens(page: $page, perPage: 100) { nodes { ${listedFields} } lastPage } }
      }`,
      { email, page },
    )
    return listed(user.tokens)
  })

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'Revoke an access token and its value before a rotation',
  positionals: { id: { stored: 'token', description: 'identifier of the token, as shown by token list' } },
  run: ({ positionals: { id } }) =>
    asOperator(async (execute) => {
      const { revokeToken } = await execute<{ revokeToken: { token: Token } }>(
        `mutation ($input: RevokeTokenInput!) {
          revokeToken(input: $input) { token { ... on TeamToken { ${tokenFields} } ... on PersonalToken { ${tokenFields} } } }
        }`,
        { input: { id } },
      )
      return { value: revokeToken.token, text: `Revoked token ${revokeToken.token.id}.` }
    }),
})
