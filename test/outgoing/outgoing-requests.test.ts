import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { createLookup } from '../../src/outgoing/lookup.ts'
import { createOutgoingRequests } from '../../src/outgoing/outgoing-requests.ts'
import { startDnsServer } from '../support/http/dns-server.ts'

const outgoing = createOutgoingRequests({ outgoingAllowedHosts: ['127.0.0.1', 'localhost'], dnsServers: [] })
afterAll(outgoing.close)

/** Starts a receiver and returns its URL. */
async function receive(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const post = (url: string, limits: { timeoutMilliseconds?: number; maxBytes?: number } = {}) =>
  outgoing.send({
    url,
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'hi',
    timeoutMilliseconds: 5000,
    maxBytes: 4096,
    ...limits,
  })

describe('an outgoing request', () => {
  test('reaches a private host that the operator allowed, by its address and by its name', async () => {
    const received: string[] = []
    await using receiver = await receive((request, response) => {
      request.on('data', (chunk) => received.push(String(chunk)))
      request.on('end', () => response.writeHead(201, { 'x-answer': 'yes' }).end('received'))
    })
    expect(await post(receiver.url)).toMatchObject({ status: 201, body: 'received', isComplete: true, headers: { 'x-answer': 'yes' } })
    expect(await post(receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 201 })
    expect(received).toEqual(['hi', 'hi'])
  })

  test('follows no redirect, neither of a request nor of a library', async () => {
    let requests = 0
    await using receiver = await receive((_, response) => {
      requests++
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
    })
    expect(await post(receiver.url)).toMatchObject({ status: 302 })
    expect(await outgoing.fetch(receiver.url, { redirect: 'follow' })).toMatchObject({ status: 302 })
    expect(requests).toBe(2)
  })

  test('reads the beginning of a long response and ends it', async () => {
    let sent = 0
    await using receiver = await receive((_, response) => {
      const chunk = Buffer.alloc(65_536, 'a')
      const write = () => {
        while (sent < 10_000_000 && !response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', write)
        }
        response.end()
      }
      write()
    })
    const { body, isComplete } = await post(receiver.url)
    expect({ length: body.length, isComplete }).toEqual({ length: 4096, isComplete: false })
    expect(sent).toBeLessThan(10_000_000)
  })

  test.each<[string, RequestListener, string]>([
    ['answers nothing', () => {}, 'There was no complete response within 0.4 seconds.'],
    [
      'sends a byte at a time',
      (_, response) => void setInterval(() => response.write('a'), 50).unref(),
      'There was no complete response within 0.4 seconds.',
    ],
    ['closes the connection', (request) => request.socket.resetAndDestroy(), 'The connection was closed before there was a response.'],
    [
      'sends a header of 100 kB',
      (_, response) => response.setHeader('x', 'a'.repeat(100_000)).end(),
      'The header fields of the response are too large.',
    ],
  ])('fails within its time when the host %s', async (_, listener, reason) => {
    await using receiver = await receive(listener)
    await expect(post(receiver.url, { timeoutMilliseconds: 400 })).rejects.toThrow(reason)
  })
})

test('the lookup of a name returns its public addresses alone', async () => {
  await using dns = await startDnsServer((name) => (name === 'mixed.example.com' ? ['10.0.0.1', '93.184.216.34', '127.0.0.1'] : []))
  const lookup = createLookup({ allowedHosts: new Set(), dnsServers: [dns.address] })
  const resolve = (name: string, all: boolean) =>
    new Promise((done) => lookup(name, { all }, (error, address) => done(error ? error.message : address)))
  expect(await resolve('mixed.example.com', true)).toEqual([{ address: '93.184.216.34', family: 4 }])
  expect(await resolve('mixed.example.com', false)).toBe('93.184.216.34')
  expect(await resolve('none.example.com', true)).toMatch(/ENODATA/)
})
