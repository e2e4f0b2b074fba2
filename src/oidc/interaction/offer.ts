import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'
import { isScope, scopes } from '../../../schema/scopes.ts'
import type { Scope } from '../../../schema/scopes.ts'
import type { Client } from '../storage/client.ts'
import { findPerson } from '../storage/live-grants.ts'
import { grantsTo } from '../storage/live-grants.ts'

interface TeamOption {
  /** Internal key. */
  id: string
  slug: string
  name: string
}

/** What a person may decide about a client, computed from the present state each time. */
export interface Offer {
  client: Client
  person: { id: string; email: string }
  /** Scopes that cannot be declined, in the order of the catalogue. */
  required: Scope[]
  optional: Scope[]
  /** The person's teams, by slug; null where the client's grants carry none. */
  teams: TeamOption[] | null
}

/** How the form is filled in before anybody touches it. */
export interface Suggestion {
  /** A slug, or empty for no team in particular. */
  team: string
  declined: readonly string[]
}

const teamsOfPerson = statement<TeamOption, [userId: string]>(
  'team_options',
  `SELECT t.id, t.slug, t.name FROM members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = $1 ORDER BY t.slug COLLATE "C"`,
)

/** Null where the person is gone. `requested` is the authorization request's `scope`. */
export async function findOffer(database: Database, client: Client, userId: string, requested: unknown): Promise<Offer | null> {
  const person = await findPerson(database, userId)
  if (!person) return null
  const asked = new Set(typeof requested === 'string' ? requested.split(' ') : [])
  const registered = new Set([...client.requiredScopes, ...client.optionalScopes])
  const offered = Object.keys(scopes).filter((scope): scope is Scope => isScope(scope) && asked.has(scope) && registered.has(scope))
  const isRequired = (scope: Scope) => client.requiredScopes.includes(scope) || !scopes[scope].declinable
  return {
    client,
    person: { id: person.id, email: person.email },
    required: offered.filter(isRequired),
    optional: offered.filter((scope) => !isRequired(scope)),
    teams: client.team === 'none' ? null : await teamsOfPerson(database.pool, userId),
  }
}

/** What a form is bound to: the same text for the same offer. */
export const fingerprint = ({ client, person, required, optional, teams }: Offer) =>
  JSON.stringify([person.id, client.id, client.name, client.team, required, optional, teams])

/** As the person decided last: the team of the latest live grant, and what was declined for that team. */
export async function suggest(database: Database, { client, person, teams }: Offer, now: Date): Promise<Suggestion> {
  const earlier = await grantsTo(database, person.id, client.clientId, now)
  const options = [...(client.team === 'required' ? [] : [{ id: null, slug: '' }]), ...(teams ?? [])]
  const selected = options.find(({ id }) => id === earlier[0]?.teamId) ?? options[0]
  const decision = earlier.find(({ teamId }) => teamId === (selected?.id ?? null))
  return { team: selected?.slug ?? '', declined: decision?.declinedScopes ?? [] }
}

/** What a form says, each value as it came. */
export interface Answer {
  /** Slug; empty for none in particular, null where the form does not say. */
  team: string | null
  scopes: readonly string[]
}

export interface Choice {
  teamId: string | null
  granted: Scope[]
  declined: Scope[]
}

/** The choice that an answer makes among what is offered; null for one that was not offered. */
export function choose({ client, required, optional, teams }: Offer, answer: Answer): Choice | null {
  const team = teams?.find(({ slug }) => slug === answer.team)
  const isNone = teams === null ? answer.team === null : answer.team === '' && client.team !== 'required'
  const isOffered = team !== undefined || isNone
  if (!isOffered || !answer.scopes.every((scope) => isScope(scope) && optional.includes(scope))) return null
  const isChecked = (scope: Scope) => answer.scopes.includes(scope)
  const declined = optional.filter((scope) => !isChecked(scope))
  return { teamId: team?.id ?? null, granted: [...required, ...optional.filter(isChecked)], declined }
}
