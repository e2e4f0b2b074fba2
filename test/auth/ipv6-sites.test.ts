import { beforeAll, describe, expect, test } from 'vitest'
import { createDeviceClient } from '../support/oauth/device.ts'
import { post } from '../support/oauth/oauth.ts'
import type { TestClient } from '../support/oauth/oauth.ts'
import { useService } from '../support/service/service.ts'

// Whoever has an IPv6 /48 has 65,536 networks of /64, which the limits per address count one by one.

const service = useService({ rateLimitLink: 2, rateLimitAuthorization: 2, trustProxy: true })
let device: TestClient
beforeAll(async () => {
  device = await createDeviceClient(service.database)
})

const from = (address: string) => ({ 'x-forwarded-for': address })
const openLink = (address: string) => fetch(`${service.url}/links/unknown`, { headers: from(address), redirect: 'manual' })
const startDevice = (address: string) => post(service, '/api/oauth/device', device, { scope: 'openid' }, from(address))

describe.each([
  { name: 'attempts', send: openLink, allowed: 303, site: '2001:db8:1' },
  { name: 'pending authorization requests', send: startDevice, allowed: 200, site: '2001:db8:2' },
])('the limit of $name', ({ send, allowed, site }) => {
  const statuses = async (addresses: string[]) => {
    const all: number[] = []
    for (const address of addresses) all.push((await send(address)).status)
    return all
  }
  const addressesIn = (prefix: string, count: number, first = 0) =>
    Array.from({ length: count }, (_, index) => `${prefix}:${(first + index).toString(16)}::1`)

  test('allows a /48 sixteen times as many as a /64, and no others', async () => {
    const own = `${site}:ffff::1`
    expect(await statuses([own, own, own, own])).toEqual([allowed, allowed, 429, 429])
    // The refused ones did not count, so the neighbours have what is left of sixteen times two.
    expect(await statuses(addressesIn(site, 30))).toEqual(Array.from({ length: 30 }, () => allowed))
    const refused = await send(`${site}:a0::1`)
    expect([refused.status, Number(new Headers(refused.headers).get('retry-after')) > 0]).toEqual([429, true])
    expect(await statuses(addressesIn(`${site}0`, 2))).toEqual([allowed, allowed])
    expect(await statuses(['192.0.2.1', '192.0.2.1', '192.0.2.1'])).toEqual([allowed, allowed, 429])
  })
})
