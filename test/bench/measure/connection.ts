import { connect } from 'node:net'
import { newAssertion } from './assertion.ts'
import type { Assertions } from './assertion.ts'

// A load generator of our own: it uses less CPU than a general one, which counts when it shares two cores with what it
// measures; its latencies are not rounded to milliseconds; and a connection can carry a refresh token to its next request.

/** What one connection sends again and again. */
export interface Script {
  method: string
  path: string
  headers: Record<string, string>
  /** `{count}` becomes a number that no other request has, `{value}` the remembered value, `{assertion}` a new ID token. */
  body?: string
  assertions?: Assertions
  /** A member of the JSON response that the next request of this script sends, in later runs too. */
  remember?: { member: string; initial: string }
  /** Between a response and the next request. Default: none. */
  pauseMilliseconds?: number
}

/** Remembered values by their initial value, which no two scripts share. */
const remembered = new Map<string, string>()
let count = Date.now()

/**
 * Sends requests one after another until `isOver`, at least one, and adds their latencies in milliseconds. Resolves with the
 * body of the last response.
 */
export function runConnection(port: number, script: Script, isOver: () => boolean, latencies: number[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const isConstant = !/\{count\}|\{value\}|\{assertion\}/.test(script.body ?? '')
  const constant = requestText(port, script)
  let sentAt = 0
  let chunks: Buffer[] = []
  let missing = 0

  const send = () => {
    sentAt = performance.now()
    socket.write(isConstant ? constant : requestText(port, script))
  }
  const finish = () => {
    latencies.push(performance.now() - sentAt)
    const isLast = isOver()
    const body = isLast || script.remember ? bodyOf(Buffer.concat(chunks)) : ''
    if (script.remember) remember(script.remember, body)
    chunks = []
    if (!isLast) return void (script.pauseMilliseconds === undefined ? send() : setTimeout(send, script.pauseMilliseconds))
    socket.destroy()
    resolve(body)
  }
  socket.on('connect', send)
  socket.on('error', reject)
  socket.on('close', () => reject(new Error(`${script.method} ${script.path}: the connection was closed`)))
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (chunks.length === 1) {
      // Every server here sends the header section in its first packet.
      const bodyStart = chunk.indexOf('\r\n\r\n') + 4
      const head = chunk.toString('latin1', 0, bodyStart)
      if (!head.startsWith('HTTP/1.1 2')) return reject(new Error(`${script.method} ${script.path}: ${chunk.toString().slice(0, 1000)}`))
      missing = bodyStart + Number(/^content-length: *(\d+)/im.exec(head)?.[1])
      if (Number.isNaN(missing)) return reject(new Error(`${script.method} ${script.path}: no Content-Length in ${head}`))
    }
    missing -= chunk.length
    if (missing === 0) finish()
  })
  return promise
}

function requestText(port: number, { method, path, headers, body = '', remember, assertions }: Script): string {
  const text = body
    .replace('{count}', () => String(count++))
    .replace('{assertion}', () => (assertions ? newAssertion(assertions) : ''))
    .replace('{value}', () => remembered.get(remember?.initial ?? '') ?? remember?.initial ?? '')
  const fields = { Host: `localhost:${port}`, ...headers, ...(text && { 'Content-Length': Buffer.byteLength(text) }) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

const bodyOf = (response: Buffer) => response.toString('utf8', response.indexOf('\r\n\r\n') + 4)

function remember({ member, initial }: NonNullable<Script['remember']>, text: string): void {
  const body: Record<string, unknown> = JSON.parse(text)
  remembered.set(initial, String(body[member]))
}
