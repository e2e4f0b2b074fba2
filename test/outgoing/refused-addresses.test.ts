import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../schema/core/outgoing/public-address.ts'
import { createOutgoingRequests } from '../../src/outgoing/outgoing-requests.ts'
import { startDnsServer } from '../support/http/dns-server.ts'

// A listener on every address of this machine counts connections: a refused request must not even connect.

let connections = 0
const listener = createServer((socket) => {
  connections++
  socket.destroy()
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  ;({ port } = listener.address() as AddressInfo)
})
afterAll(() => void listener.close())

/** What names this machine, a private network, a cloud's metadata, or no host, in every notation that URL parsers accept. */
const hosts = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 127.0.0.1. 127.255.255.254 %31%32%37.0.0.1
  \u2460\u2461\u2466.0.0.1 \uff11\uff12\uff17.0.0.1 127\u30020\u30020\u30021 0 0.0.0.0 0x0 00 10.0.0.1 10.255.255.255 0xa000001
  100.64.0.1 100.127.255.255 172.16.0.1 172.31.255.255 192.168.0.1 3232235521 169.254.169.254 0xa9fea9fe 2852039166
  0251.0376.0251.0376 169.254.170.2 168.63.129.16 100.100.100.200 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1
  198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 [::] [::1] [0:0:0:0:0:0:0:1]
  [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe]
  [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:7f00:1::] [fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1]
  [ff02::1] [100::1] [2001:db8::1] [2001:10::1] [3fff::1] [5f00::1] localhost LOCALHOST localhost. a.localhost printer.local
  metadata.google.internal router.home.arpa intranet x.test
`
  .trim()
  .split(/\s+/)

describe('a request to an address that is not public', () => {
  const outgoing = createOutgoingRequests({ outgoingAllowedHosts: [], dnsServers: [] })
  afterAll(outgoing.close)

  test('has at least 60 forms', () => expect(new Set(hosts).size).toBeGreaterThanOrEqual(60))

  test.each(hosts)('is refused before it connects: %s', async (host) => {
    const url = `https://${host}:${port}/hook`
    const before = connections
    const message = /must name a host on the public internet|must be an https URL/
    await expect(outgoing.send({ url, method: 'POST', headers: {}, timeoutMilliseconds: 2000, maxBytes: 10 })).rejects.toThrow(message)
    await expect(outgoing.fetch(url)).rejects.toThrow(message)
    expect(connections).toBe(before)
  })

  test.each([
    'http://example.com/hook',
    'ftp://example.com/hook',
    'file:///etc/passwd',
    'https://user:password@example.com/',
    'https://user@example.com/',
    'https://example.com:80/',
    'https://example.com:22/',
    'https://example.com:1023/',
    'https://example.com/#part',
    'javascript:alert(1)',
    'https://',
    'example.com',
    '',
  ])('is refused for its scheme, user, port or form: %s', async (url) => {
    await expect(outgoing.fetch(url)).rejects.toThrow(/^the URL must /)
  })
})

test.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.32.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450:4001::1', '2400::1'])(
  'an address of the public internet is public: %s',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

describe('a name', () => {
  test('whose address changes between a check and the connection never leads to this machine', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['169.254.169.254'], ['10.0.0.1', '127.0.0.1']]
    await using dns = await startDnsServer(() => answers.shift() ?? ['127.0.0.1'])
    const outgoing = createOutgoingRequests({ outgoingAllowedHosts: [], dnsServers: [dns.address] })
    // The check of somebody who trusts it, which is what the attack counts on.
    const { Resolver } = await import('node:dns/promises')
    const resolver = new Resolver()
    resolver.setServers([dns.address])
    expect(await resolver.resolve4('changes.example.com')).toEqual(['93.184.216.34'])
    const before = connections
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(outgoing.fetch(`https://changes.example.com:${port}/`)).rejects.toMatchObject({
        cause: { message: 'changes.example.com has no public address' },
      })
    }
    expect(connections).toBe(before)
    expect(dns.queries.filter((query) => query.startsWith('A '))).toHaveLength(4)
    await outgoing.close()
  })
})
