import { scopesOfAnyKind } from '../../../../schema/core/scopes.ts'
import { command, UsageError } from '../../command.ts'
import { allPages, asOperator } from '../../context.ts'
import {
  CreatePersonalTokenDocument,
  CreateTeamTokenDocument,
  PersonalTokensDocument,
  RevokeTokenDocument,
  TeamTokensDocument,
} from '../../generated/operations.ts'
import type { PersonalTokensQuery, TeamTokensQuery } from '../../generated/operations.ts'
import { durationSeconds } from '../../argument-values.ts'
import { table } from '../../terminal/table.ts'

type TokenRow = TeamTokensQuery['team']['tokens']['nodes'][number] | PersonalTokensQuery['user']['tokens']['nodes'][number]

/** Formats a token with its value before the last rotation. The member is absent when that value has stopped working. */
const toListItem = ({ previous_value, ...token }: TokenRow) => (previous_value ? { ...token, previous_value } : token)

const getState = ({ revoked_at, expires_at }: Pick<TokenRow, 'revoked_at' | 'expires_at'>) =>
  revoked_at !== null ? 'revoked' : expires_at !== null && new Date(expires_at).getTime() <= Date.now() ? 'expired' : 'active'

const owner = {
  team: { value: 'SLUG', stored: 'team', description: 'slug of the team that owns the token' },
  user: { value: 'EMAIL', stored: 'user', description: 'email address of the user who owns the token' },
} as const

type Owner = { team: string; user?: undefined } | { user: string; team?: undefined }

function getOwner({ team, user }: { team: string | undefined; user: string | undefined }): Owner {
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
    const target = getOwner(options)
    const { name, scope: scopes, 'expires-in': lifetime } = options
    const expiresAt = new Date(Date.now() + durationSeconds(lifetime ?? '90d', '--expires-in') * 1000).toISOString()
    const { token, value } = await asOperator(async (execute) =>
      target.user === undefined
        ? (
            await execute(CreateTeamTokenDocument, {
              input: { ...target, name, scopes, expiresAt: lifetime === undefined ? null : expiresAt },
            })
          ).payload
        : (await execute(CreatePersonalTokenDocument, { input: { ...target, name, scopes, expiresAt } })).payload,
    )
    return { value: { ...token, token: value }, text: value }
  },
})

export const tokenList = command({
  name: 'token list',
  summary: 'List the access tokens of a team or a user, newest first',
  options: owner,
  run: async ({ options }) => {
    const target = getOwner(options)
    const tokens = await asOperator((execute) =>
      allPages<TokenRow>(async (page) =>
        target.user === undefined
          ? (await execute(TeamTokensDocument, { slug: target.team, page })).team.tokens
          : (await execute(PersonalTokensDocument, { email: target.user, page })).user.tokens,
      ),
    )
    const rows = tokens.map((token) => [
      token.name,
      getState(token),
      token.scopes.join(' '),
      token.expires_at,
      token.id,
      token.hint,
      token.last_used_at,
      token.revoked_at,
      token.previous_value?.expires_at ?? null,
    ])
    return {
      value: { data: tokens.map(toListItem) },
      text: table(['name', 'state', 'scopes', 'expires', 'id', 'hint', 'last used', 'revoked', 'old value until'], rows),
    }
  },
})

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'Revoke an access token and its value before a rotation',
  positionals: { id: { stored: 'token', description: 'identifier of the token, as shown by token list' } },
  run: ({ positionals: { id } }) =>
    asOperator(async (execute) => {
      const { token } = (await execute(RevokeTokenDocument, { input: { id } })).payload
      return { value: token, text: `Revoked token ${token.id}.` }
    }),
})
