import { z } from 'zod'
import { TokenKind } from '../../../../prisma/generated/client/enums.ts'
import { scopesOfKind } from '../../../../schema/core/scopes.ts'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { sha256 } from '../../../../schema/core/sha256.ts'
import { displayName, emailAddress, text } from '../../../../schema/core/validation.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { brokenExpiryRule, storedTokenScopes } from '../../../../schema/tokens/rules.ts'
import { tokenKind } from '../../../../schema/tokens/token-value.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, stored, storedElsewhere, teamSlugs } from '../storage.ts'
import { instant, sha256Hex } from '../values.ts'

const schema = z
  .strictObject({
    type: z.literal('token'),
    kind: stored('"TokenKind"', z.enum(TokenKind)),
    user: reference('user', optional(emailAddress)),
    team: reference('team', optional(teamSlug)),
    name: stored('text', displayName),
    scopes: stored('text[]', storedTokenScopes),
    expires_at: stored('timestamptz', optional(instant)),
    value: storedElsewhere(optional(text)),
    sha256: storedElsewhere(optional(sha256Hex), (alias) => `encode(${alias}.hash, 'hex')`),
    /** Teams to which a personal token is limited. Each must exist: without one of them, the token could be unlimited. */
    limited_to_teams: teamSlugs('team_ids', optional(z.array(teamSlug).min(1)), { keep: `'{}'`, isRequired: true }),
    /** Teams whose owners revoked the access of a personal token. */
    revoked_teams: teamSlugs('revoked_team_ids', optional(z.array(teamSlug)), { keep: `'{}'` }),
    /** Hash of the value that the last rotation replaced, and the time until which that value works. */
    previous_sha256: storedElsewhere(optional(sha256Hex), (alias) => `encode(${alias}.previous_hash, 'hex')`),
    previous_expires_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
  })
  .superRefine(checkToken)

export const tokenRecord = recordType({
  schema,
  table: 'access_tokens',
  orderBy: 'e.hash',
  // The format cannot express that a token is revoked, so an import would make it valid again.
  where: 'e.revoked_at IS NULL',
  subject: ['name'],
  computed: {
    // The natural key. The value itself is not stored.
    hash: {
      type: 'bytea',
      isKey: true,
      value: ({ value, sha256: hash }) => `\\x${value === undefined ? hash : sha256(value).toString('hex')}`,
    },
    last_four: { type: 'text', keep: 'NULL', value: ({ value }) => value?.slice(-4) },
    previous_hash: { type: 'bytea', keep: 'NULL', value: ({ previous_sha256: previous }) => previous && `\\x${previous}` },
  },
})

interface Token {
  kind: TokenKind
  scopes: readonly Scope[]
  user?: string | undefined
  team?: string | undefined
  expires_at?: string | undefined
  limited_to_teams?: string[] | undefined
  revoked_teams?: string[] | undefined
  value?: string | undefined
  sha256?: string | undefined
}

/** Requires one owner of the right kind, a value or its hash, and an expiry if the kind requires one. The expiry may be in the past. */
function checkToken(record: Token, { addIssue }: z.core.$RefinementCtx<Token>): void {
  const refuse = (path: keyof Token, message: string) =>
    addIssue({ code: 'custom', path: [path], message: `The :attribute field ${message}.`, input: record })
  const [owner, other] = record.kind === 'personal' ? (['user', 'team'] as const) : (['team', 'user'] as const)
  if (record[owner] === undefined) refuse(owner, 'is required')
  if (record[other] !== undefined) refuse(other, `does not go with a ${record.kind} token`)
  for (const list of ['limited_to_teams', 'revoked_teams'] as const)
    if (record.kind === 'team' && record[list]) refuse(list, 'does not go with a team token')
  // The scopes of staff have no effect while the user is not staff.
  const allowed: readonly Scope[] = scopesOfKind[record.kind]
  if (!record.scopes.every((scope) => allowed.includes(scope))) refuse('scopes', `has a scope that a ${record.kind} token cannot have`)
  const expiryError = brokenExpiryRule(record.kind, record.expires_at === undefined ? null : new Date(record.expires_at), new Date())
  if (expiryError) refuse('expires_at', expiryError)
  if ((record.value === undefined) === (record.sha256 === undefined))
    return addIssue({ code: 'custom', path: ['value'], message: 'One of :attribute and sha256 is required.', input: record })
  if (record.value === undefined) return
  const kind = tokenKind(record.value)
  if (kind === null) refuse('value', 'has the wrong form or checksum')
  else if (kind !== record.kind) refuse('value', `is that of a ${kind} token`)
}
