import { OutgoingError } from './outgoing.ts'
import type { Outgoing } from './outgoing.ts'

const second = 1000
/** For how long a document is used. */
const maxAge = 600 * second
/** After this time a document in which something is missing is fetched again. */
const minAge = 60 * second
/** For how long a failure is the answer, so that requests of others do not become requests to the host. */
const failureAge = 5 * second
const timeoutMilliseconds = 5 * second
const maxBytes = 256 * 1024
/** The documents that a process keeps. */
const maxEntries = 500

interface Entry<Document> {
  document: { value: Document; at: number } | null
  failure: { error: unknown; at: number } | null
  fetching: Promise<void> | null
}

/** When a known document is fetched again before it is too old. */
interface Demands<Document> {
  /** False if something is missing in it, such as a new key: it is fetched again at most once a minute. */
  isSufficient?(document: Document): boolean
  /** False if it is wrong and may have been corrected since: it is fetched again as soon as after a failure. */
  isExpected?(document: Document): boolean
}

export interface DocumentCache<Document> {
  /** Returns the document at a URL, at most 10 minutes old, whether or not it meets the demands. Throws an `OutgoingError` if there is no valid document. */
  get(url: string, demands?: Demands<Document>): Promise<Document>
  /** Whether the document at a URL could not be read when it was last fetched. */
  hasFailed(url: string): boolean
}

interface DocumentCachePorts {
  outgoing: Pick<Outgoing, 'send'>
  now(): Date
}

/** Keeps JSON documents at URLs that others name, such as key sets. `parse` throws an `OutgoingError` if one is not valid. */
export function createDocumentCache<Document>(
  { outgoing, now }: DocumentCachePorts,
  parse: (json: unknown) => Document,
): DocumentCache<Document> {
  const entries = new Map<string, Entry<Document>>()

  function entryOf(url: string): Entry<Document> {
    const entry = entries.get(url) ?? { document: null, failure: null, fetching: null }
    // The least recently used comes first.
    entries.delete(url)
    entries.set(url, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break
      entries.delete(oldest)
    }
    return entry
  }

  async function fetchInto(entry: Entry<Document>, url: string): Promise<void> {
    try {
      const headers = { accept: 'application/json' }
      const { status, body, isComplete } = await outgoing.send({ url, method: 'GET', headers, timeoutMilliseconds, maxBytes })
      if (status !== 200) throw new OutgoingError(`The response has the status ${status}.`)
      if (!isComplete) throw new OutgoingError(`The response is larger than ${maxBytes / 1024} kB.`)
      entry.document = { value: parse(jsonOf(body)), at: now().getTime() }
      entry.failure = null
    } catch (error) {
      entry.failure = { error, at: now().getTime() }
    }
  }

  return {
    async get(url, { isSufficient = () => true, isExpected = () => true } = {}) {
      const entry = entryOf(url)
      const since = (at: number | undefined) => now().getTime() - (at ?? -Infinity)
      const isUsable = () => since(entry.document?.at) < maxAge
      const ageLimitOf = (document: Document) => (!isExpected(document) ? failureAge : isSufficient(document) ? maxAge : minAge)
      const isCurrent = entry.document && since(entry.document.at) < ageLimitOf(entry.document.value)
      if (!isCurrent && since(entry.failure?.at) >= failureAge)
        await (entry.fetching ??= fetchInto(entry, url).finally(() => (entry.fetching = null)))
      if (entry.document && isUsable()) return entry.document.value
      throw entry.failure?.error ?? new OutgoingError('There is no document.')
    },
    hasFailed: (url) => entries.get(url)?.failure != null,
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OutgoingError('The response is not JSON.', { cause: error })
  }
}
