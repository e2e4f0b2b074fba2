import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Ports } from '../../core/ports.ts'

// The addresses of a provider contain its identifier, and an administrator must enter them at the provider before its settings exist.
// Therefore the service reserves an identifier for a team and signs it. Nothing is stored until the provider is created.

type ReservationPorts = Pick<Ports, 'deriveSecret' | 'now'>

/** An identifier that only one team can use, once. */
export interface Reservation {
  id: string
  expiresAt: Date
}

const reservedMilliseconds = 30 * 24 * 3_600_000
const form = /^([0-9a-f-]{36})\.(\d{13})\.([\w-]{22})$/
const signed = (teamId: string, id: string, expiry: string) =>
  ['provider reservation', Buffer.from(JSON.stringify([teamId, id, expiry]))] as const
const toMac = (digest: Buffer) => digest.subarray(0, 16)

/** Reserves a random identifier for a new provider of a team. */
export function reserveProvider({ deriveSecret, now }: ReservationPorts, teamId: string): string {
  const [id, expiry] = [randomUUID(), String(now().getTime() + reservedMilliseconds)]
  return `${id}.${expiry}.${toMac(deriveSecret(...signed(teamId, id, expiry))).toString('base64url')}`
}

/** Reads a reservation. Returns null unless this service issued it to the team and it has not expired. */
export function readReservation({ deriveSecret, now }: ReservationPorts, teamId: string, reservation: string): Reservation | null {
  const [, id, expiry, mac] = form.exec(reservation) ?? []
  if (id === undefined || expiry === undefined || mac === undefined) return null
  const isOurs = deriveSecret
    .accepted(...signed(teamId, id, expiry))
    .some((digest) => timingSafeEqual(toMac(digest), Buffer.from(mac, 'base64url')))
  const expiresAt = new Date(Number(expiry))
  return isOurs && expiresAt > now() ? { id, expiresAt } : null
}
