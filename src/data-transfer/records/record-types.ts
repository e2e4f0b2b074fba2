import type { z } from 'zod'
import { appRecord, memberRecord, teamRecord } from './types/team-record.ts'
import { clientRecord } from './types/client-record.ts'
import { domainRecord, groupRoleRecord, identityProviderRecord, linkedIdentityRecord } from './types/sign-in-record.ts'
import { invoiceRecord } from './types/invoice-record.ts'
import { tokenRecord } from './types/token-record.ts'
import { userRecord } from './types/user-record.ts'
import { webhookRecord } from './types/webhook-record.ts'

/**
 * All types of records, in the order in which a chunk is written: a record follows those to which it refers. A record is complete, so an
 * absent member has its default value; for some members it keeps the stored value instead. Schemas are strict, so that a misspelled member
 * is an error.
 */
export const recordTypes = {
  user: userRecord,
  team: teamRecord,
  member: memberRecord,
  app: appRecord,
  invoice: invoiceRecord,
  token: tokenRecord,
  client: clientRecord,
  webhook: webhookRecord,
  domain: domainRecord,
  identity_provider: identityProviderRecord,
  group_role: groupRoleRecord,
  linked_identity: linkedIdentityRecord,
}

export type RecordTypeName = keyof typeof recordTypes
export type RecordOf<Name extends RecordTypeName> = z.output<(typeof recordTypes)[Name]['schema']>
export type AnyRecord = { [Name in RecordTypeName]: RecordOf<Name> }[RecordTypeName]

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the object is a constant: it has no other keys
export const recordTypeNames = Object.keys(recordTypes) as RecordTypeName[]

/** Returns an object with one value per type of record. */
export const forEachType = <Value>(create: () => Value): Record<RecordTypeName, Value> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- built from all names
  Object.fromEntries(recordTypeNames.map((name) => [name, create()])) as Record<RecordTypeName, Value>
