import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import express from 'express'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { invitationLink, mailLink } from '../../src/mail/link.ts'
import { requestLog } from '../../src/request.ts'
import { waitFor } from '../support/wait.ts'

const links = { '/invitations/': invitationLink, '/links/': mailLink }

describe.each(Object.entries(links))('a request for a link %s', (to, link) => {
  test.each(['', '/', '/accept', '?next=%2F'])('%j behind it, is logged without its secret', async (rest) => {
    const lines: string[] = []
    const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }))
    const server = createServer(express().use(requestLog(log)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const secret = 'qT0S8fJ1h3Yk-_mXo5c7w9ZbNdLrVuGpEiAyHsKxQ42'
    await fetch(link(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, secret) + rest)
    await waitFor(() => lines.length > 0)
    await new Promise((resolve) => server.close(resolve))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      method: 'GET',
      path: `${to}…${rest.startsWith('/') ? rest : ''}`,
      status: 404,
    })
    expect(lines.join('')).not.toContain(secret)
  })
})
