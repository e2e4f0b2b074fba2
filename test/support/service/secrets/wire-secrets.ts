import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http'
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib'

type Add = (secret: string) => void

/** Members of forms, queries and JSON whose value is a secret. Names are compared in lower case, without `_` and `-`. */
const secretNames = /password|secret|token|code|verifier|assertion|csrf|requesturi|deviceid/
const otherNames = /codechallenge|type|method|postalcode|statuscode|^code$|(?<!device)id$/
/** Identifiers of the tests' clients, which tests with random values also send in the place of secrets. */
const clientId = /^client-/

/** Values that look like secrets: 256 bits in base64url (sessions, codes, links, OAuth tokens), access tokens of users and teams, JWTs. */
const secretPattern = /(?<![\w-])(?:[\w-]{43}|[pt]at_\w{36}|ey[\w-]+\.[\w-]+\.[\w-]+)(?![\w-])/g

/** Calls `add` with the secrets in the requests that a server receives, and in its responses. */
export function secretsOfServer(server: Server, add: Add): void {
  server.prependListener('request', (request, response) => {
    const sent: Buffer[] = []
    const push = request.push.bind(request)
    request.push = (chunk: Buffer | null) => {
      if (chunk) sent.push(chunk)
      return push(chunk)
    }
    const received = chunksOf(response)
    response.once('close', () => {
      addFields(request.headers, add)
      addText(decode(request.url ?? ''), add)
      addMembers(new URL(request.url ?? '', 'http://service').searchParams, add)
      addBody(Buffer.concat(sent), add)
      addResponse(Reflect.get(response, '_header') ?? '', Buffer.concat(received), add)
    })
  })
}

/** Collects what is written to a response. */
function chunksOf(response: ServerResponse): Buffer[] {
  const chunks: Buffer[] = []
  for (const name of ['write', 'end'] as const) {
    const original = response[name].bind(response)
    Reflect.set(response, name, (chunk: unknown, ...others: unknown[]) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
      return Reflect.apply(original, response, [chunk, ...others])
    })
  }
  return chunks
}

function addFields({ authorization = '', cookie = '', dpop }: IncomingHttpHeaders, add: Add): void {
  const [, scheme = '', value = ''] = /^(\w+) +(.*)$/.exec(authorization) ?? []
  add(value)
  if (scheme.toLowerCase() === 'basic') add(decode(Buffer.from(value, 'base64').toString().split(':')[1] ?? ''))
  for (const pair of cookie.split('; ')) add(pair.slice(pair.indexOf('=') + 1))
  if (typeof dpop === 'string') add(dpop)
}

function addResponse(head: string, body: Buffer, add: Add): void {
  for (const [, value = ''] of head.matchAll(/^set-cookie: [^=]+=([^;\r]*)/gim)) add(value)
  for (const [, url = ''] of head.matchAll(/^location: (.*)\r$/gim)) {
    addText(decode(url), add)
    addMembers(new URL(url, 'http://service').searchParams, add)
  }
  if (!/^content-type: (?:text\/html|application\/json)/im.test(head)) return
  const coding = /^content-encoding: (\w+)/im.exec(head)?.[1]
  addBody(decodeBody(body, coding), add)
}

function addBody(body: Buffer, add: Add): void {
  const text = body.toString()
  addText(text, add)
  if (/^\s*[{[]/.test(text)) addJson(text, add)
  else if (/^[\w.%*+-]+=/.test(text)) addMembers(new URLSearchParams(text), add)
}

const addText = (text: string, add: Add) => text.match(secretPattern)?.forEach(add)

function addJson(text: string, add: Add): void {
  try {
    JSON.parse(text, (name, value: unknown) => {
      for (const item of Array.isArray(value) ? value : [value]) if (typeof item === 'string') addMember(name, item, add)
      return value
    })
  } catch {
    // The body of a request that the service refuses.
  }
}

function addMembers(members: URLSearchParams, add: Add): void {
  for (const [name, value] of members) addMember(name, value, add)
}

function addMember(name: string, value: string, add: Add): void {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '')
  if (secretNames.test(plain) && !otherNames.test(plain) && !clientId.test(value)) add(value)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Decodes a body, which ends early if its client left. */
function decodeBody(body: Buffer, coding: string | undefined): Buffer {
  if (coding === 'gzip') return gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH })
  return coding === 'br' ? brotliDecompressSync(body, { finishFlush: constants.BROTLI_OPERATION_FLUSH }) : body
}
