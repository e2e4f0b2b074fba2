import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { onTestFinished } from 'vitest'
import { unique } from '../../data/team.ts'
import { listenAtFreePort } from '../listen.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Answers with this document. */
export const sendDocument =
  (document: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(typeof document === 'string' ? document : JSON.stringify(document))

/** The host of the clients, which the tests let the service send requests to. */
export const clientHost = 'localhost'

/** A client by URL. A test host serves its document, which can be replaced; `requests` counts what it has received. */
export async function createMetadataClient(changes: object = {}, certificate?: { key: string; cert: string }) {
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    client.requests++
    client.answer(request, response)
  }
  const server = certificate ? createSecureServer(certificate, handle) : createServer(handle)
  const local = (await listenAtFreePort(server)).replace('127.0.0.1', clientHost)
  const origin = certificate ? local.replace('http:', 'https:') : local
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const clientId = `${origin}/${unique('client')}.json`
  const redirectUri = 'http://127.0.0.1/callback'
  const document = {
    client_id: clientId,
    client_name: 'Code Agent',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    ...changes,
  }
  const client = {
    clientId,
    redirectUri,
    secret: null,
    document,
    requests: 0,
    answer: sendDocument(document),
    /** Serves a changed document from now on. */
    change: (next: object) => void (client.answer = sendDocument({ ...document, ...next })),
  }
  return client
}
