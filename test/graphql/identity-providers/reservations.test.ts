import { beforeEach, expect, test } from 'vitest'
import { readReservation, reserveProvider } from '../../../schema/identity-providers/administration/reservation.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createScene, fields, remove } from '../../support/identity-providers/settings.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database, clock } = service
const ports = { deriveSecret: secretDeriver(secretKey), now: clock.now }
const day = 24 * 3_600_000
const create = `mutation ($input: CreateIdentityProviderInput!) { createIdentityProvider(input: $input) { identityProvider { ${fields} } } }`

let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene(service)
})
const send = (reservation: string, changes: object = {}) =>
  executeAs(service, scene.session, create, {
    input: { team: scene.team.slug, kind: 'OIDC', name: 'Acme', issuer: scene.issuer, clientId: '1', reservation, ...changes },
  })
const messageOf = ({ refusal }: Awaited<ReturnType<typeof send>>) => refusal?.details.errors
const foreign = { reservation: ['The URLs on this page have expired. Load the page again.'] }

test('a reservation gives a provider the addresses that were shown, and a repeated request returns it', async () => {
  const reservation = reserveProvider(ports, scene.team.id)
  const id = readReservation(ports, scene.team.id, reservation)?.id
  const [first, second] = [await send(reservation), await send(reservation)]
  const { identityProvider } = first.data.createIdentityProvider
  expect(identityProvider).toMatchObject({ providerId: id, redirectUri: `https://accounts.example/sign-in/callback/${id}` })
  expect(second.data.createIdentityProvider.identityProvider).toEqual(identityProvider)
  expect(messageOf(await send(reservation, { name: 'Northwind' }))).toEqual({
    idempotencyKey: ['The identity provider was already created, with other values.'],
  })
})

test('a reservation brings no deleted provider back, as long as it is valid', async () => {
  const reservation = reserveProvider(ports, scene.team.id)
  const { providerId: id } = (await send(reservation)).data.createIdentityProvider.identityProvider
  expect((await executeAs(service, scene.session, remove, { id })).refusal).toBeNull()
  for (const days of [0, 29]) {
    clock.advance(days * day)
    scene.session = await sessionOf(service, scene.owner)
    expect(messageOf(await send(reservation))).toEqual({
      idempotencyKey: ['The identity provider was already created, and deleted since.'],
    })
  }
  clock.advance(day)
  scene.session = await sessionOf(service, scene.owner)
  expect(messageOf(await send(reservation))).toEqual(foreign)
})

test('a reservation of another team, a changed one and a chosen identifier are refused', async () => {
  const other = await createScene(service)
  const own = reserveProvider(ports, scene.team.id)
  const [id, expiry, mac] = own.split('.')
  const changed = [`${crypto.randomUUID()}.${expiry}.${mac}`, `${id}.${Number(expiry) + 1}.${mac}`, `${id}.${expiry}.${'A'.repeat(22)}`]
  for (const reservation of [reserveProvider(ports, other.team.id), ...changed, `${own}A`, crypto.randomUUID(), '', '\0'])
    expect(messageOf(await send(reservation))).toEqual(foreign)
  expect(await database.prisma.identityProvider.count({ where: { teamId: scene.team.id } })).toBe(0)
})

test('a reservation can be used while SECRET_KEY is being replaced', async () => {
  const before = { ...ports, deriveSecret: secretDeriver('the key before, of at least 32 characters') }
  const during = { ...ports, deriveSecret: secretDeriver(secretKey, 'the key before, of at least 32 characters') }
  expect(readReservation(during, 'team', reserveProvider(before, 'team'))).toEqual({ id: expect.any(String), expiresAt: expect.any(Date) })
  expect(readReservation(ports, 'team', reserveProvider(before, 'team'))).toBeNull()
})
