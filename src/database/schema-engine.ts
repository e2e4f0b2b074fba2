import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import type * as Glue from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { withDatabase, withSession } from './connection.ts'

/** Prisma's own schema engine as WebAssembly, over our connection: what `prisma migrate` runs, without a download. */
export interface OpenSchemaEngine {
  engine: SchemaEngine
  /** Runs `work` in one transaction of the engine's connection: all of it or nothing. */
  inTransaction<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Opens the engine on the database of `connection`; `datamodel` is the text of schema.prisma. */
export async function openSchemaEngine(connection: pg.ClientConfig, datamodel: string): Promise<OpenSchemaEngine> {
  const Engine = await loadEngine()
  const session = new MigrationPool(connection)
  const adapters: SqlMigrationAwareDriverAdapterFactory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => adapterOf(session),
    connectToShadowDb: () => shadowDatabase(connection),
  }
  const bound = bindMigrationAwareSqlAdapterFactory(adapters)
  const engine = await Engine.new({ datamodels: [['schema.prisma', datamodel]] }, () => {}, bound)
  return {
    engine,
    async inTransaction(work) {
      await session.query('BEGIN')
      try {
        const result = await work()
        await session.query('COMMIT')
        return result
      } catch (error) {
        await session.query('ROLLBACK')
        throw session.firstError ?? error
      }
    },
    async close() {
      engine.free()
      await session.end()
    },
  }
}

// Node has it, its type package lacks it, and the DOM's types would bring a browser's globals along.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}

type EngineModule = typeof Glue
let loading: Promise<EngineModule['SchemaEngine']> | undefined

/** Once per process: the module keeps its instance in a variable of its own. */
function loadEngine(): Promise<EngineModule['SchemaEngine']> {
  return (loading ??= (async () => {
    // Not through the package's main entry, whose `import` of a .wasm file Node calls experimental, loudly.
    const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
    const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    const bytes = await readFile(entry.replace(/\.js$/, '.wasm'))
    const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': withoutLingering(glue) })
    glue.__wbg_set_wasm(instance.exports)
    instance.exports.__wbindgen_start()
    return glue.SchemaEngine
  })())
}

/** The engine allows its lock 10 s with a timer that it never clears, and no process would end before. */
function withoutLingering(glue: EngineModule): object {
  const setLooseTimeout = (run: () => void, milliseconds: number) => setTimeout(run, milliseconds).unref()
  const entries = Object.entries<unknown>(glue).map(([name, value]) => {
    return [name, name.startsWith('__wbg_setTimeout_') ? setLooseTimeout : value] as const
  })
  return Object.fromEntries(entries)
}

const internalChar = 18
const text = 25

/** One connection, so that the engine's session lock and our transaction hold for all it sends. */
class MigrationPool extends pg.Pool {
  /** Columns of the last result whose type is PostgreSQL's internal "char", which the adapter cannot map. */
  charColumns: number[] = []
  /** What PostgreSQL refused first; what the engine reports is the error of its own bookkeeping after that. */
  firstError: unknown

  constructor(connection: pg.ClientConfig) {
    super({ ...connection, max: 1, idleTimeoutMillis: 0 })
    // A lost connection fails the statement that runs; the event itself would end the process.
    this.on('error', () => {})
  }

  // @ts-expect-error one body for the many overloads of pg
  override async query(...parameters: unknown[]): Promise<unknown> {
    this.charColumns = []
    try {
      const result = (await Reflect.apply(super.query, this, parameters)) as pg.QueryResult | pg.QueryResult[]
      for (const { fields } of [result].flat()) this.#readCharAsText(fields)
      return result
    } catch (error) {
      this.firstError ??= error
      throw error
    }
  }

  #readCharAsText(fields: pg.FieldDef[]): void {
    for (const [column, field] of fields.entries()) {
      if (field.dataTypeID !== internalChar) continue
      field.dataTypeID = text
      this.charColumns.push(column)
    }
  }
}

async function adapterOf(session: MigrationPool, dispose = async () => {}): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg(session as unknown as pg.Pool).connect()
  const changes: Partial<SqlDriverAdapter> = {
    async queryRaw(query) {
      const result = await adapter.queryRaw(query)
      for (const column of session.charColumns) result.columnTypes[column] = ColumnTypeEnum.Character
      return result
    },
    // The adapter's own cuts the script at every semicolon, also those inside functions and comments.
    async executeScript(script) {
      await session.query(script)
    },
    async dispose() {
      await adapter.dispose()
      await dispose()
    },
  }
  return Object.assign(Object.create(adapter) as SqlDriverAdapter, changes)
}

/** A database beside the main one, for replaying the migrations; the main one is never touched. */
async function shadowDatabase(connection: pg.ClientConfig): Promise<SqlDriverAdapter> {
  const name = `shadow_${randomUUID().replaceAll('-', '')}`
  await withSession(connection, (session) => session.query(`CREATE DATABASE ${name} TEMPLATE template0`))
  const shadow = new MigrationPool(withDatabase(connection, name))
  return adapterOf(shadow, async () => {
    await shadow.end()
    await withSession(connection, (session) => session.query(`DROP DATABASE ${name} WITH (FORCE)`))
  })
}
