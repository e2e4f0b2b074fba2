import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import type * as Glue from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { withoutBuiltIndexes } from './build-indexes.ts'
import { withDatabase, withSession } from './connection.ts'

/** Prisma's schema engine as WebAssembly over a `pg` connection. `prisma migrate` runs it as a native binary. */
export interface OpenSchemaEngine {
  engine: SchemaEngine
  /** Runs `work` in one transaction of the engine's connection. */
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
    connect: () => createAdapter(session),
    connectToShadowDb: () => shadowDatabase(connection),
  }
  const bound = bindMigrationAwareSqlAdapterFactory(adapters)
  const engine = await Engine.new({ datamodels: [['schema.prisma', datamodel]] }, () => {}, bound)
  return {
    engine,
    async inTransaction(work) {
      session.firstError = undefined
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

// Node provides WebAssembly, but its type package does not declare it. The DOM types would add browser globals.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}

type EngineModule = typeof Glue
let loading: Promise<EngineModule['SchemaEngine']> | undefined

/** Loads the engine once per process, because the module stores its instance in a module variable. */
function loadEngine(): Promise<EngineModule['SchemaEngine']> {
  return (loading ??= (async () => {
    // The package's main entry imports a .wasm file, for which Node prints an experimental warning.
    const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
    const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    const bytes = await readFile(entry.replace(/\.js$/, '.wasm'))
    const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': withUnrefTimers(glue) })
    glue.__wbg_set_wasm(instance.exports)
    instance.exports.__wbindgen_start()
    return glue.SchemaEngine
  })())
}

/** Unrefs the 10 s timer for the engine's lock, which the engine never clears and which would prevent the process from ending. */
function withUnrefTimers(glue: EngineModule): object {
  const setUnrefTimeout = (run: () => void, milliseconds: number) => setTimeout(run, milliseconds).unref()
  const entries = Object.entries<unknown>(glue).map(([name, value]) => {
    return [name, name.startsWith('__wbg_setTimeout_') ? setUnrefTimeout : value] as const
  })
  return Object.fromEntries(entries)
}

const internalChar = 18
const text = 25

/** A pool of one connection, so that the engine's session lock and the transaction apply to all of its statements. */
class MigrationPool extends pg.Pool {
  /** Columns of the last result whose type is PostgreSQL's internal "char", which the adapter cannot map. */
  charColumns: number[] = []
  /** The first error of PostgreSQL. The engine reports only a later error of its own record keeping. */
  firstError: unknown

  constructor(connection: pg.ClientConfig) {
    // A migration that waits for a lock makes all later statements on the table wait, too.
    super({ ...connection, max: 1, idleTimeoutMillis: 0, lock_timeout: 3000 })
    // A lost connection fails the running statement. Without a listener the event would end the process.
    this.on('error', () => {})
  }

  // @ts-expect-error one body for the many overloads of pg
  override async query(...parameters: unknown[]): Promise<unknown> {
    this.charColumns = []
    try {
      const result: pg.QueryResult | pg.QueryResult[] = await Reflect.apply(super.query, this, parameters)
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

async function createAdapter(session: MigrationPool, dispose = async () => {}): Promise<SqlDriverAdapter> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Pool in everything but the overloads of `query`
  const adapter = await new PrismaPg(session as unknown as pg.Pool).connect()
  const changes: Partial<SqlDriverAdapter> = {
    async queryRaw(query) {
      const result = await adapter.queryRaw(query)
      for (const column of session.charColumns) result.columnTypes[column] = ColumnTypeEnum.Character
      return result
    },
    // The adapter's own method splits the script at every semicolon, including those in functions and comments.
    async executeScript(script) {
      await session.query(withoutBuiltIndexes(script))
    },
    async dispose() {
      await adapter.dispose()
      await dispose()
    },
  }
  const changedAdapter: SqlDriverAdapter = Object.create(adapter)
  return Object.assign(changedAdapter, changes)
}

/** Creates a temporary database on the same server, in which the engine replays the migrations. */
async function shadowDatabase(connection: pg.ClientConfig): Promise<SqlDriverAdapter> {
  const name = `shadow_${randomUUID().replaceAll('-', '')}`
  await withSession(connection, (session) => session.query(`CREATE DATABASE ${name} TEMPLATE template0`))
  const shadow = new MigrationPool(withDatabase(connection, name))
  return createAdapter(shadow, async () => {
    await shadow.end()
    await withSession(connection, (session) => session.query(`DROP DATABASE ${name} WITH (FORCE)`))
  })
}
