import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { listenAtFreePort } from './listen.ts'

interface Options {
  /** Status code for the n-th request, counted from 1; null sends no response. */
  statusOf?: (count: number) => number | null
}

/** A back-channel logout endpoint of a client, which collects logout tokens until the test ends. */
export async function listenForLogout({ statusOf = () => 200 }: Options = {}): Promise<{ address: string; logoutTokens: string[] }> {
  const logoutTokens: string[] = []
  const server = createServer((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      logoutTokens.push(new URLSearchParams(body).get('logout_token') ?? '')
      const status = statusOf(logoutTokens.length)
      if (status !== null) response.writeHead(status).end()
    })
  })
  const origin = await listenAtFreePort(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { address: `${origin}/logout`, logoutTokens }
}
