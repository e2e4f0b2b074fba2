import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A client's back-channel address: the logout tokens it was told, which it may leave unanswered. Until the test is over. */
export async function listenForLogout({ answers = true } = {}): Promise<{ address: string; told: string[] }> {
  const told: string[] = []
  const server = createServer((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      told.push(new URLSearchParams(body).get('logout_token') ?? '')
      if (answers) response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`, told }
}
