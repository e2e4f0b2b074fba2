import { OutgoingError } from './outgoing.ts'
import type { Outgoing } from './outgoing.ts'

const second = 1000
/** Maximum age of a document. */
const maxAge = 600 * second
/** Age after which a document with a missing part is fetched again. */
const minAge = 60 * second
/** Time for which a failure is cached, so that requests to this service do not become requests to the host. */
const failureAge = 5 * second
const timeoutMilliseconds = 5 * second
const maxBytes = 256 * 1024
/** Maximum number of documents in the cache of a process. */
const maxEntries = 500

interface Entry<Document> {
  document: { value: Document; at: number } | null
  failure: { error: unknown; at: number } | null
  fetching: Promise<void> | null
}

/** Conditions under which a cached document is fetched again before its maximum age. */
interface Demands<Document> {
  /** False if a part is missing, such as a new key: the document is fetched again at most once a minute. */
  isSufficient?(document: Document): boolean
  /** False if the document is wrong and may have been corrected since: it is fetched again as soon as after a failure. */
  isExpected?(document: Document): boolean
}

export interface DocumentCache<Document> {
  /** Returns the document at a URL, at most 10 minutes old, even if it does not meet the demands. Throws an `OutgoingError` without one. */
  get(url: string, demands?: Demands<Document>): Promise<Document>
  /** Returns true if the document at a URL could not be read when it was last fetched. */
  hasFailed(url: string): boolean
}

interface DocumentCachePorts {
  outgoing: Pick<Outgoing, 'send'>
  now(): Date
}

/** Caches JSON documents at user-supplied URLs, such as key sets. `parse` throws an `OutgoingError` if a document is not valid. */
export function createDocumentCache<Document>(
  { outgoing, now }: DocumentCachePorts,
  parse: (json: unknown) => Document,
): DocumentCache<Document> {
  const entries = new Map<string, Entry<Document>>()

  function getEntry(url: string): Entry<Document> {
    const entry = entries.get(url) ?? { document: null, failure: null, fetching: null }
    // The map starts with the least recently used entry.
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
      entry.document = { value: parse(parseJson(body)), at: now().getTime() }
      entry.failure = null
    } catch (error) {
      entry.failure = { error, at: now().getTime() }
    }
  }

  return {
    async get(url, { isSufficient = () => true, isExpected = () => true } = {}) {
      const entry = getEntry(url)
      const since = (at: number | undefined) => now().getTime() - (at ?? -Infinity)
      const isUsable = () => since(entry.document?.at) < maxAge
      const getAgeLimit = (document: Document) => (!isExpected(document) ? failureAge : isSufficient(document) ? maxAge : minAge)
      const isCurrent = entry.document && since(entry.document.at) < getAgeLimit(entry.document.value)
      if (!isCurrent && since(entry.failure?.at) >= failureAge)
        await (entry.fetching ??= fetchInto(entry, url).finally(() => (entry.fetching = null)))
      if (entry.document && isUsable()) return entry.document.value
      throw entry.failure?.error ?? new OutgoingError('There is no document.')
    },
    hasFailed: (url) => entries.get(url)?.failure != null,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OutgoingError('The response is not JSON.', { cause: error })
  }
}
