import type { TokenKind } from '../../../prisma/generated/client/enums.ts'
import { tokenKind } from '../../../schema/secret.ts'
import { expiryFault } from '../../../schema/token-rules.ts'

interface Token {
  kind: TokenKind
  user?: string | undefined
  team?: string | undefined
  expires_at?: string | null | undefined
  cut_teams?: readonly string[] | null | undefined
  value?: string | undefined
  sha256?: string | undefined
}
interface Refinement {
  addIssue(issue: { code: 'custom'; path: string[]; message: string; input: unknown }): void
}

/** One owner, of its kind; a value or its hash; an expiry where the kind has one (decisions §7). It may lie in the past. */
export function checkToken(token: Token, { addIssue }: Refinement): void {
  const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message, input: token })
  const [owner, other] = token.kind === 'personal' ? (['user', 'team'] as const) : (['team', 'user'] as const)
  if (token[owner] === undefined) refuse(owner, 'The :attribute field is required.')
  if (token[other] !== undefined) refuse(other, `The :attribute field does not go with a ${token.kind} token.`)
  if (token.kind === 'team' && token.cut_teams) refuse('cut_teams', 'The :attribute field does not go with a team token.')
  const fault = expiryFault(token.kind, token.expires_at ? new Date(token.expires_at) : null, new Date())
  if (fault) refuse('expires_at', `The :attribute field ${fault}.`)
  if ((token.value === undefined) === (token.sha256 === undefined)) return refuse('value', 'One of :attribute and sha256 is required.')
  if (token.value === undefined) return
  const kind = tokenKind(token.value)
  if (kind === null) refuse('value', 'The :attribute field has the wrong form or checksum.')
  else if (kind !== token.kind) refuse('value', `The :attribute field is that of a ${kind} token.`)
}
