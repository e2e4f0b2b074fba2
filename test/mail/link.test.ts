import { createServer } from 'node:http'
import { Writable } from 'node:stream'
import express from 'express'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { invitationLink, mailLink, withoutSecret } from '../../src/mail/link.ts'
import { requestLog } from '../../src/http/request-log.ts'
import { reservePort } from '../support/processes/port.ts'
import { waitFor } from '../support/service/wait.ts'

const links = { '/invitations/': invitationLink, '/links/': mailLink }

describe.each(Object.entries(links))('a request for a link below %s', (prefix, link) => {
  test.each(['', '/', '/accept', '?next=%2F'])('is logged without its secret when followed by %j', async (suffix) => {
    const lines: string[] = []
    const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }))
    const { port, listen } = reservePort()
    const server = createServer(express().use(requestLog(log, withoutSecret)))
    await listen(server)
    const secret = 'qT0S8fJ1h3Yk-_mXo5c7w9ZbNdLrVuGpEiAyHsKxQ42'
    await fetch(link(`http://127.0.0.1:${port}`, secret) + suffix)
    await waitFor(() => lines.length > 0)
    await new Promise((resolve) => server.close(resolve))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      method: 'GET',
      path: `${prefix}…${suffix.startsWith('/') ? suffix : ''}`,
      status: 404,
    })
    expect(lines.join('')).not.toContain(secret)
  })
})
