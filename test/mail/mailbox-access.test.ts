import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import express from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailbox } from '../../src/mail/mailbox.ts'
import type { MailSettings } from '../../src/mail/mailer.ts'
import { request } from '../support/http/request.ts'
import { startMailingService } from '../support/mail/mailing-service.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'team-account-mail-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

describe('a service that others may reach', () => {
  test.each<Partial<MailSettings>>([
    { nodeEnv: 'production' },
    { authUrl: 'https://accounts.example.com' },
    { trustProxy: true },
    { trustProxy: 1 },
    { trustProxy: 'loopback' },
  ])('responds to /dev/mail with 404: %o', async (settings) => {
    const service = await startMailingService({ dataDir, ...settings })
    const { status, body } = await request(service, 'GET', '/dev/mail')
    expect([status, body.code]).toEqual([404, 'not_found'])
  })
})

// Listens on all addresses, unlike a service in development, so that requests of other machines arrive.
describe('the page with stored mails', () => {
  const server = createServer(express().use('/dev/mail', createMailbox(path.join(dataDir, 'mail'), 'http://localhost')))
  let port: number
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '::', resolve))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a TCP port
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const statusFrom = async (host: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://${host}:${port}/dev/mail`, { headers: { Host: 'localhost', Connection: 'close', ...headers } })).status

  test('is served to this machine over IPv6, and over IPv4, whose addresses are IPv4-mapped here', async () => {
    expect([await statusFrom('[::1]'), await statusFrom('127.0.0.1')]).toEqual([200, 200])
  })

  const ownAddress = Object.values(networkInterfaces())
    .flat()
    .find((found) => found && !found.internal && found.family === 'IPv4')?.address

  test.runIf(ownAddress)('is not served to a peer with another address', async () => {
    expect(await statusFrom(ownAddress ?? '')).toBe(404)
    expect(await statusFrom(ownAddress ?? '', { 'X-Forwarded-For': '127.0.0.1' })).toBe(404)
  })

  test.each(['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Via'])(
    'is not served through a proxy on this machine, which adds %s',
    async (name) => {
      expect(await statusFrom('127.0.0.1', { [name]: '127.0.0.1' })).toBe(404)
    },
  )
})
