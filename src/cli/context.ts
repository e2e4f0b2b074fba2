import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { openClient } from '../../prisma/client.ts'
import type { Context } from '../../schema/context.ts'
import { readConfig } from '../config.ts'
import type { DatabaseLog } from '../database/log.ts'
import { openDatabase } from '../database/open.ts'
import { codeOf } from '../failure.ts'
import type { Outbox } from '../mail/outbox.ts'
import { keptSecretKey, secretDeriver } from '../secret-key.ts'
import { commandOutbox } from './outbox.ts'

/** Executes an operation as the operator; `Data` is the shape of what the document selects. */
export type Ask = <Data>(document: string, variables?: Record<string, unknown>) => Promise<Data>

/** What a command has to say about the database's start; only what went wrong is worth a line. */
export const commandLog: DatabaseLog = { info: () => {}, warn: (text) => void process.stderr.write(`${text}\n`) }

/** Runs `work` with the schema at hand: commands about teams, accounts, tokens, clients and keys go through its operations. */
export async function asOperator<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const config = readConfig()
  // Loaded here: import and export do without the schema’s execution, and help without either.
  const { prepareOperation, run } = await import('../../schema/execute.ts')
  const opened = await openDatabase(config, 'command', commandLog)
  const database = openClient(opened.poolConfig)
  let outbox: Outbox | undefined
  const context: Context = {
    database,
    principal: { kind: 'operator', via: 'command_line', name: operatorName() },
    requestId: randomUUID(),
    invitationDays: config.invitationDays,
    signUp: config.signUp,
    authUrl: config.authUrl,
    now: () => new Date(),
    sendMail: async (transaction, mail) => {
      outbox ??= await commandOutbox(config, opened.poolConfig, database)
      await outbox.sendMail(transaction, mail)
    },
    // Clients hear of it only from the authorization server, and here is none: tokens of a deleted account open nothing.
    sessionsEnded: () => {},
    // Only keys are sealed under it: no other command makes one in passing where there is none.
    deriveSecret: (purpose, data) => secretDeriver(config.secretKey ?? keptSecretKey(config.dataDir))(purpose, data),
  }
  try {
    return await work((document, variables = {}) => run(prepareOperation('command line', document), variables, context))
  } finally {
    await outbox?.stop()
    await database.close()
    await opened.close()
  }
}

/** The operator's name in the audit: the system's user, or its number where it has no name. */
export function operatorName(): string {
  try {
    return userInfo().username
  } catch (error) {
    if (codeOf(error) !== 'ERR_SYSTEM_ERROR') throw error
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

interface Page<Node> {
  nodes: Node[]
  lastPage: number
}

/** All nodes of a list that comes in pages; `read` asks for one of them. */
export async function allPages<Node>(read: (page: number) => Promise<Page<Node>>): Promise<Node[]> {
  const all: Node[] = []
  for (let page = 1, last = 1; page <= last; page++) {
    const { nodes, lastPage } = await read(page)
    all.push(...nodes)
    last = lastPage
  }
  return all
}
