import { z } from 'zod'
import { damaged } from './backup-error.ts'
import { parseJson } from './parse-json.ts'

// The content of a backup is text: a line of JSON with the manifest; for each table a line of JSON, its rows in the text format of COPY,
// and a line `\.`; at the end a line of JSON with the numbers of rows and the sequences.

export const manifestType = z.object({
  created_at: z.iso.datetime(),
  service_version: z.string(),
  /** Names of the migrations that the database had, in their order. */
  migrations: z.array(z.string()),
  /** Names of the job queues. */
  queues: z.array(z.string()),
  /** Identifies the SECRET_KEY of the service without containing it; null if the service had none yet. */
  secret_key_check: z.string().nullable(),
  /** SECRET_KEY, if the backup includes it. */
  secret_key: z.string().optional(),
})
export type Manifest = z.output<typeof manifestType>

export const tableHeader = z.object({ table: z.string(), columns: z.array(z.string()) })

export const ending = z.object({
  rows: z.record(z.string(), z.int()),
  /** The last value of each sequence, as text; null if it has none yet. */
  sequences: z.record(z.string(), z.string().nullable()),
})

/** Returns a line of JSON. */
export const jsonLine = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** The line after the rows of a table. A row never equals it, because COPY writes a backslash as two. */
export const rowsEnd = '\\.\n'

/** Reads content piece by piece. */
export class ContentReader {
  #buffered = Buffer.alloc(0)
  readonly #source: AsyncIterator<Uint8Array>

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#source = content[Symbol.asyncIterator]()
  }

  /** Returns the next line as JSON that matches `type`. */
  async json<T>(type: z.ZodType<T>): Promise<T> {
    let end = this.#buffered.indexOf('\n')
    for (; end === -1; end = this.#buffered.indexOf('\n')) if (!(await this.#more())) throw damaged('it is truncated')
    const parsed = type.safeParse(parseJson(this.#take(end + 1)))
    if (!parsed.success) throw damaged(`it has an unexpected line: ${z.prettifyError(parsed.error)}`)
    return parsed.data
  }

  /** Returns the rows of a table, up to its end. */
  async *rows(): AsyncGenerator<Buffer> {
    let isLineStart = true
    for (;;) {
      if (isLineStart && this.#buffered.subarray(0, rowsEnd.length).equals(Buffer.from(rowsEnd))) {
        this.#take(rowsEnd.length)
        return
      }
      const end = this.#buffered.indexOf(`\n${rowsEnd}`)
      // The buffer may contain only a part of the end line.
      const length = end === -1 ? Math.max(this.#buffered.length - rowsEnd.length, 0) : end + 1
      if (length > 0) {
        const taken = this.#take(length)
        isLineStart = taken.at(-1) === newline
        yield taken
      } else if (!(await this.#more())) throw damaged('it is truncated')
    }
  }

  /** Reads up to the end, so that errors at the end of the file are thrown. */
  async end(): Promise<void> {
    while (this.#buffered.length > 0 || (await this.#more()))
      if (this.#buffered.length > 0) throw damaged('it has unexpected content at the end')
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#source.next()
    if (done === true) return false
    this.#buffered = Buffer.concat([this.#buffered, value])
    return true
  }

  #take(length: number): Buffer {
    const taken = this.#buffered.subarray(0, length)
    this.#buffered = this.#buffered.subarray(length)
    return taken
  }
}

const newline = 10
