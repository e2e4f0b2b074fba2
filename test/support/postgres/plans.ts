import pg from 'pg'
import { onTestFinished } from 'vitest'
import { poolConfigFor, urlConnection } from '../../../src/database/connection.ts'
import { openClient } from '../../../prisma/connection/database.ts'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'

/** A statement that PostgreSQL executed, also inside of a function, with what it read. */
export interface ExecutedPlan {
  text: string
  milliseconds: number
  /** Rows of tables and entries of indexes that were read, also those that a condition removed. */
  rowsRead: number
  /** The tables that were read from the first to the last row. */
  tablesScanned: string[]
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  Schema?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

type Mode = 'force_custom_plan' | 'force_generic_plan'

/** The options of a session that reports every plan with auto_explain. */
function explainingOptions(mode: Mode): string {
  const settings = {
    session_preload_libraries: 'auto_explain',
    plan_cache_mode: mode,
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** The URL of a database whose sessions report every plan. */
function withPlans(databaseUrl: string, mode: Mode): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', [url.searchParams.get('options'), explainingOptions(mode)].filter(Boolean).join(' '))
  return url.href
}

/** A connection whose sessions report every plan. */
export const connectWithPlans =
  (mode: Mode) =>
  (poolConfig: pg.PoolConfig): pg.PoolConfig => ({ ...poolConfig, connectionString: withPlans(poolConfig.connectionString ?? '', mode) })

/** Collects the plans that sessions report until the test ends. */
export function collectPlans(): ExecutedPlan[] {
  const plans: ExecutedPlan[] = []
  onTestFinished(listen((text) => plans.push(...parsePlan(text))))
  return plans
}

/**
 * Opens a database whose sessions report every plan. A custom plan is that of the first executions of a prepared statement, a generic one may be
 * that of all later ones.
 */
export function openWithPlans(databaseUrl: string, mode: Mode): { url: string; database: OpenDatabase; plans: ExecutedPlan[] } {
  const url = withPlans(databaseUrl, mode)
  return { url, database: openClient(poolConfigFor(urlConnection(url), 'service', 10)), plans: collectPlans() }
}

/** Passes the notices of all sessions of this process on. Returns a function that ends it. */
function listen(onNotice: (text: string) => void): () => void {
  const { emit } = pg.Client.prototype
  pg.Client.prototype.emit = function (this: pg.Client, event: string | symbol, ...values: unknown[]) {
    const [notice] = values
    if (event === 'notice' && notice instanceof Error) onNotice(notice.message)
    else if (event === 'notice' && typeof notice === 'object' && notice && 'message' in notice) onNotice(String(notice.message))
    return Reflect.apply(emit, this, [event, ...values])
  }
  return () => void (pg.Client.prototype.emit = emit)
}

function parsePlan(notice: string): ExecutedPlan[] {
  const [, milliseconds, json] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(notice) ?? []
  if (json === undefined) return []
  const { 'Query Text': text, Plan: plan } = JSON.parse(json)
  const nodes = listNodes(plan)
  return [
    {
      text,
      milliseconds: Number(milliseconds),
      rowsRead: Math.round(nodes.reduce((sum, node) => sum + countRowsRead(node), 0)),
      tablesScanned: nodes.flatMap((node) =>
        node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0 ? [node['Relation Name'] ?? ''] : [],
      ),
    },
  ]
}

const listNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(listNodes)]

const countRowsRead = (node: Node): number =>
  node['Relation Name'] === undefined || !node['Node Type'].endsWith('Scan')
    ? 0
    : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops']

/** Prints the statements that took longest, each with its slowest execution: what docs/operations/scaling.md is written from. */
export function printSlowest(plans: readonly ExecutedPlan[]): void {
  const slowest = new Map<string, ExecutedPlan>()
  for (const plan of plans) if (plan.milliseconds > (slowest.get(plan.text)?.milliseconds ?? 0)) slowest.set(plan.text, plan)
  const sorted = [...slowest.values()].toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, 20)
  for (const { milliseconds, rowsRead, text } of sorted)
    console.log(`${milliseconds} ms, ${rowsRead} rows: ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`)
}
