import { AsyncLocalStorage } from 'node:async_hooks'
import { isUnavailable } from '../../prisma/availability.ts'
import type { StoredGrant, StoredPerson } from './storage/live-grants.ts'
import type { Use } from './token/parallel-uses.ts'

/** An artifact as it is written. */
export interface MadeArtifact {
  /** SHA-256 of the value, in hex. */
  hash: string
  kind: string
  payload: object
  grant_id: string | null
  expires_at: Date
}

/** A code or token that is presented once. */
export interface Presented {
  /** The value as the client sent it. */
  value: string
  hash: Buffer
  grant: StoredGrant | null
  /** A code, from which on refresh tokens live for a year in all; the grant lives as long. */
  isFirst: boolean
}

/**
 * One request at the token endpoint. What it spends and what it makes is gathered, and written by one statement when the
 * answer is known: either all of it is there or nothing is, and of several requests with one value one alone succeeds.
 */
export interface Exchange {
  presented: Presented | null
  made: MadeArtifact[]
  /** The answer that was given before, where this request is to get the same. */
  repeated: object | null
  /** Among those of others, which may present the same. */
  use: Use
}

export const newExchange = (use: Use): Exchange => ({ presented: null, made: [], repeated: null, use })

/** What one request at the authorization server has read so far, so that nothing is read twice. */
export interface Turn {
  /** When all of the request had arrived. */
  arrivedAt: Date
  /** Where it comes from, and what the browser says of itself: people see it of their sessions. */
  address: string
  userAgent: string
  grants: Map<string, StoredGrant>
  people: Map<string, StoredPerson>
  /** Sessions, by their second identifier, and interactions that were read: they are written again only while they last. */
  read: Set<string>
  /** At the token endpoint: what is spent and made, written all at once. */
  exchange: Exchange | null
  /** Why the database could not be asked, once it could not. */
  fault?: unknown
}

const turns = new AsyncLocalStorage<Turn>()

/** Goes on with a request that has a turn of its own. */
export const takeTurn = (turn: Turn, work: () => void): void => turns.run(turn, work)

/** The turn of the request under way. */
export function currentTurn(): Turn {
  const turn = turns.getStore()
  if (!turn) throw new Error('the authorization server was asked outside of a request')
  return turn
}

/** Asks the database, unless this request has waited for it in vain before: whoever waits is answered within 3 seconds. */
export async function ask<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = currentTurn()
  if (turn.fault !== undefined) throw turn.fault
  try {
    return await work()
  } catch (error) {
    if (isUnavailable(error)) turn.fault = error
    throw error
  }
}
