import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { TestService } from '../service/service.ts'

/** The revisions of the protocol that the official client speaks. */
export const revisions = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

type McpPath = '/mcp' | '/mcp/readonly'

/** Connects the official client to the service until the end of the test. */
export async function connectClient(
  { url }: Pick<TestService, 'url'>,
  token: string,
  { revision = '2026-07-28', path = '/mcp' }: { revision?: Revision; path?: McpPath } = {},
): Promise<Client> {
  const mode = revision === '2025-11-25' ? ('legacy' as const) : { pin: revision }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(path, url), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

/** Returns the JSON in the text of a result, which is that of `structuredContent` or the body of an error. */
export function textOf({ content }: Pick<CallToolResult, 'content'>): any {
  const [first] = content
  if (first?.type !== 'text') throw new Error('the result has no text')
  return JSON.parse(first.text)
}

export interface McpResponse {
  status: number
  headers: Headers
  body: any
}

/** Sends a JSON-RPC message of revision 2025-11-25 without the client. A text is sent as it is. */
export async function post(
  { url }: Pick<TestService, 'url'>,
  token: string | null,
  message: unknown,
  { path = '/mcp', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<McpResponse> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

/** Returns a message that calls a tool. */
export const callMessage = (name: string, sent: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: sent },
})
