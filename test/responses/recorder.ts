import crypto from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import type { TestService } from '../support/service/service.ts'

const dayMilliseconds = 86_400_000
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
/** ISO 8601, the header field Expires, pages and mails, and seconds or milliseconds since 1970. */
const time = [
  String.raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)?)?`,
  String.raw`\w{3}, \d\d ${month} \d{4} \d\d:\d\d:\d\d GMT`,
  String.raw`\b\d{1,2} ${month}[a-z]* \d{4}(?:, \d\d:\d\d(?: UTC)?)?`,
  String.raw`\b1[789]\d{8}(?:\d{3})?\b`,
].join('|')

/** A time by its distance, so that a wrong expiry shows; times of long ago are constants of a test. */
function replaceTime(text: string): string {
  const milliseconds = /^\d+$/.test(text) ? Number(text.padEnd(13, '0')) : Date.parse(`${text.replace(/Z| UTC| GMT|\+00:00/, '')}Z`)
  const today = Math.floor(Date.now() / dayMilliseconds) * dayMilliseconds
  const [distance, unit] = /:/.test(text.replace(/[T ]00:00(?::00)?/, ''))
    ? [(milliseconds - Date.now()) / 3_600_000, 'h']
    : [(milliseconds - today) / dayMilliseconds, 'd']
  return Math.abs(milliseconds - today) < 800 * dayMilliseconds ? `<time ${Math.round(distance)}${unit}>` : text
}

/** An identifier in camel case that looks random, for example with a digit, is replaced in each run, too. */
const isRandom = (text: string) =>
  [/[a-z]/, /[A-Z]/, /\d|[A-Z]{2}|[a-z][A-Z].*[-_]|[-_].*[a-z][A-Z]/].every((each) => each.test(text)) && !text.includes('//')

/** Replaces what differs between two runs. Identifiers and secrets get numbers in the order in which they appear. */
function replaceVaryingValues(text: string, { host, port }: URL, hasConstantTimes: boolean): string {
  const values: string[] = []
  const number = (kind: string) => (value: string) => {
    if (value.startsWith('00000000-') || (kind === 'secret' && !isRandom(value))) return value
    if (!values.includes(value)) values.push(value)
    return `<${kind}-${values.indexOf(value) + 1}>`
  }
  return text
    .replaceAll(host, '<host>')
    .replaceAll(encodeURIComponent(host), '<host>')
    .replaceAll(`:${port}`, ':<port>')
    .replaceAll(/\b[0-9a-f]{16}_[\w:.-]+/g, '<sequence>')
    .replaceAll(/(version\W+)\d+\.\d+/g, '$1<version>')
    .replaceAll(/(_…|last_?four\W+)\w{4}\b/gi, '$1<end>')
    .replaceAll(/(?<!-)\b(?:[0-9A-Z]{4}-){2}[0-9A-Z]{4}\b(?!-)/g, '<recovery code>')
    .replaceAll(/(?:M\d+ \d+h1v1h-1z)+|<span>[A-Z2-7]{4}<\/span>/g, '<secret of TOTP>')
    .replaceAll(/\bjust now|\d minutes? ago/g, '<just now>')
    .replaceAll(new RegExp(time, 'g'), (each) => (hasConstantTimes ? each : replaceTime(each)))
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, number('id'))
    .replaceAll(/\b[0-9a-f]{24,}\b/g, number('hex'))
    .replaceAll(/[\w+/-]{20,}={0,2}/g, number('secret'))
}

/** Returns a function that writes a file in the folder, with what differs between two runs replaced. */
export const createRecorder = (folder: string, url: string) => (name: string, content: unknown) => {
  const file = path.join(folder, `${name.replaceAll(/[^\w/.-]+/g, '-')}.txt`)
  mkdirSync(path.dirname(file), { recursive: true })
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
  // Examples in documentation have fixed times.
  writeFileSync(file, replaceVaryingValues(text, new URL(url), /^help|^mails|openapi/.test(name)))
}

const varyingHeaders = new Set(['date', 'content-length', 'etag', 'keep-alive', 'connection'])

/** Sends a request and returns the response as text. JSON is indented, and HTML has a line for each element. */
export async function fetchText(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const headers = [...response.headers].filter(([name]) => !varyingHeaders.has(name)).map(([name, value]) => `${name}: ${value}\n`)
  const body = await response.text()
  const isJson = body !== '' && response.headers.get('content-type')?.includes('json')
  const lines = isJson ? JSON.stringify(JSON.parse(body), null, 2) : body.startsWith('%PDF') ? 'PDF' : body.replaceAll('><', '>\n<')
  return `${response.status} ${response.statusText}\n${headers.join('')}\n${lines}\n`
}

/**
 * Makes lists have the same order in each run: names in seeds count up, and so do identifiers, which order rows of the same time. The last use
 * of a token, which is written in the background to the minute, is not written.
 */
export async function makeOrderStable({ database: { pool } }: TestService): Promise<void> {
  const { randomBytes } = crypto
  let count = 0
  const countUp = (size: number) => (size === 5 ? Buffer.from((count += 1).toString(16).padStart(10, '0'), 'hex') : randomBytes(size))
  Object.assign(crypto, { randomBytes: countUp })
  syncBuiltinESMExports()
  await pool.query(`CREATE FUNCTION skip_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    DO $$ DECLARE statement text; BEGIN
      FOR statement IN SELECT CASE WHEN column_name LIKE 'last%' THEN
          format('CREATE TRIGGER skip_row BEFORE UPDATE OF %I ON %I FOR EACH ROW EXECUTE FUNCTION skip_row()', column_name, table_name)
        ELSE format('ALTER TABLE %I ALTER %I SET DEFAULT uuidv7()', table_name, column_name) END
      FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
        AND (column_default = 'gen_random_uuid()' OR column_name IN ('last_used_at', 'last_active_at'))
      LOOP EXECUTE statement; END LOOP; END $$`)
}
