import type { z } from 'zod'
import { app } from './types/app.ts'
import { client } from './types/client.ts'
import { domain } from './types/domain.ts'
import { groupRole } from './types/group-role.ts'
import { identityProvider } from './types/identity-provider.ts'
import { invoice } from './types/invoice.ts'
import { linkedIdentity } from './types/linked-identity.ts'
import { member } from './types/member.ts'
import { team } from './types/team.ts'
import { token } from './types/token.ts'
import { user } from './types/user.ts'
import { webhook } from './types/webhook.ts'

/**
 * Every type of record, in the order in which a chunk is written: a record follows those that it refers to. A record is
 * complete, so an absent member has its default value; some members keep their stored value instead. Schemas are strict,
 * so that a misspelled member is an error.
 */
export const recordTypes = {
  user,
  team,
  member,
  app,
  invoice,
  token,
  client,
  webhook,
  domain,
  identity_provider: identityProvider,
  group_role: groupRole,
  linked_identity: linkedIdentity,
}

export type RecordTypeName = keyof typeof recordTypes
export type RecordOf<Name extends RecordTypeName> = z.output<(typeof recordTypes)[Name]['schema']>
export type AnyRecord = { [Name in RecordTypeName]: RecordOf<Name> }[RecordTypeName]

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the object is a constant: it has no other keys
export const recordTypeNames = Object.keys(recordTypes) as RecordTypeName[]

/** An object with one value per type of record. */
export const forEachType = <Value>(create: () => Value): Record<RecordTypeName, Value> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- built from all names
  Object.fromEntries(recordTypeNames.map((name) => [name, create()])) as Record<RecordTypeName, Value>
