import { afterAll, describe, expect, test } from 'vitest'
import { createDocumentCache } from '../../schema/core/outgoing/document-cache.ts'
import { createOutgoingRequests } from '../../src/outgoing/outgoing-requests.ts'
import { startDnsServer } from '../support/http/dns-server.ts'
import { sendJson, serveKeys } from '../support/oauth/clients/client-keys.ts'

const outgoing = createOutgoingRequests({ outgoingAllowedHosts: ['127.0.0.1'], dnsServers: [] })
afterAll(outgoing.close)

/** A cache of documents that are numbers in `{ "value": … }`, with a clock that the test moves. */
function createCache(requests: Parameters<typeof createDocumentCache>[0]['outgoing'] = outgoing) {
  const clock = { at: Date.now() }
  const parse = (json: unknown) => Number(Object(json).value)
  const cache = createDocumentCache({ outgoing: requests, now: () => new Date(clock.at) }, parse)
  return { cache, pass: (seconds: number) => void (clock.at += seconds * 1000) }
}

describe('documents of others', () => {
  test('are requested once by requests at the same time, and kept for ten minutes', async () => {
    await using host = await serveKeys(sendJson({ value: 1 }))
    const { cache, pass } = createCache()
    const values = await Promise.all(Array.from({ length: 50 }, () => cache.get(host.url)))
    expect([new Set(values), host.requests]).toEqual([new Set([1]), 1])
    host.answer = sendJson({ value: 2 })
    pass(599)
    expect([await cache.get(host.url), host.requests]).toEqual([1, 1])
    pass(1)
    expect([await cache.get(host.url), host.requests]).toEqual([2, 2])
  })

  test('are requested again if something is missing, at most once a minute', async () => {
    await using host = await serveKeys(sendJson({ value: 1 }))
    const { cache, pass } = createCache()
    const get = () => cache.get(host.url, { isSufficient: (value) => value === 2 })
    expect([await get(), await get(), host.requests]).toEqual([1, 1, 1])
    pass(60)
    expect([await get(), await get(), host.requests]).toEqual([1, 1, 2])
    host.answer = (_, response) => void response.writeHead(503).end()
    pass(60)
    // The known document remains while the host fails, until it is ten minutes old.
    expect([await get(), host.requests]).toEqual([1, 3])
    pass(600)
    await expect(get()).rejects.toThrow('The response has the status 503.')
  })

  test('that are wrong are requested again after five seconds', async () => {
    await using host = await serveKeys(sendJson({ value: 1 }))
    const { cache, pass } = createCache()
    const get = () => cache.get(host.url, { isExpected: (value) => value === 2 })
    expect([await get(), await get(), host.requests]).toEqual([1, 1, 1])
    host.answer = sendJson({ value: 2 })
    pass(5)
    expect([await get(), host.requests]).toEqual([2, 2])
    pass(60)
    expect([await get(), host.requests]).toEqual([2, 2])
  })

  test('that fail are requested again after five seconds', async () => {
    await using host = await serveKeys((_, response) => void response.writeHead(500).end())
    const { cache, pass } = createCache()
    for (let request = 0; request < 10; request++) await expect(cache.get(host.url)).rejects.toThrow('The response has the status 500.')
    expect(host.requests).toBe(1)
    host.answer = sendJson({ value: 3 })
    pass(5)
    expect([await cache.get(host.url), host.requests]).toEqual([3, 2])
  })

  test('are kept for 500 addresses', async () => {
    await using host = await serveKeys(sendJson({ value: 1 }))
    const { cache } = createCache()
    const urls = Array.from({ length: 501 }, (_, index) => `${host.url}?${index}`)
    for (const url of urls) await cache.get(url)
    expect(host.requests).toBe(501)
    await cache.get(urls[500] ?? '')
    await cache.get(urls[1] ?? '')
    expect(host.requests).toBe(501)
    await cache.get(urls[0] ?? '')
    expect(host.requests).toBe(502)
  })

  test('are not read from a name that leads into the network of the service, also after it led elsewhere', async () => {
    let addresses = ['10.0.0.1']
    await using dns = await startDnsServer(() => addresses)
    const strict = createOutgoingRequests({ outgoingAllowedHosts: [], dnsServers: [dns.address] })
    const { cache, pass } = createCache(strict)
    for (const next of [['127.0.0.1'], ['169.254.169.254'], ['192.168.1.1', '127.0.0.1']]) {
      addresses = next
      await expect(cache.get('https://keys.example.com/')).rejects.toThrow('keys.example.com has no public address')
      pass(5)
    }
    await strict.close()
  })
})
